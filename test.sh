#!/usr/bin/env bash
# All checks of mapjudge: format, lints, tests, documentation, fuzzing. Installs what is missing and says so. Prints the
# seconds of each step (those of the clock, and those of all processors), and ends with a list of what was skipped and why.
#
#   ./test.sh             everything
#   FUZZ_SECONDS=60 ./test.sh     fuzzing for 60 seconds per format instead of 300,000 inputs (0 skips it)
#
# Needs Rust (cargo); everything else is installed by cargo or rustup when it is missing, or skipped with a message.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# Property tests draw the same cases in every run, so that a failure can be repeated; unset it to explore.
export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-2009}

scratch=$(mktemp -d)
declare -A installing here lacks lanes
# A lane is ended with everything that it started.
trap 'kill -- "${installing[@]}" "${lanes[@]/#/-}" 2>/dev/null || true; rm -rf "$scratch"' EXIT

# Tests that skip themselves append a line here (testkit::skip).
export MAPJUDGE_SKIPPED=$scratch/skipped
touch "$MAPJUDGE_SKIPPED"

# Sets `processor_s` to the processor seconds of everything that was started from here and has ended. A subshell would count
# its own processes alone.
note_processor_s() {
  times >"$scratch/times"
  processor_s=$(awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); printf "%d", 60 * (t[1] + t[3]) + t[2] + t[4] }' "$scratch/times")
}
step_name=
before_s=0
# Begins a step, and prints how long the one before took.
step() {
  note_processor_s
  [ -z "$step_name" ] || printf -- '-- %s: %d s, %d s of processors\n' "$step_name" "$SECONDS" $((processor_s - before_s))
  step_name=$1
  before_s=$processor_s
  SECONDS=0
  [ -z "$step_name" ] || printf '\n== %s\n' "$step_name"
}
skip() {
  printf 'skipped: %s\n' "$1"
  printf '%s (step "%s")\n' "$1" "$step_name" >>"$MAPJUDGE_SKIPPED"
}

# Starts to install what a later step needs, while the compiler works: `install_beside NAME COMMAND..`.
install_beside() {
  local name=$1
  shift
  "$@" >"$scratch/$name.log" 2>&1 &
  installing[$name]=$!
}
# Waits for it; false if it failed, with its last line in `why`.
installed() {
  local process=${installing[$1]:-}
  unset "installing[$1]"
  [ -n "$process" ] && wait "$process" && return
  why=$(tail -1 "$scratch/$1.log" 2>/dev/null || true)
  return 1
}
# Whether a step has what it needs; if not, it is skipped with the reason.
have() {
  [ -z "${here[$1]:-}" ] || return 0
  skip "$1 could not be installed: ${lacks[$1]:-python3, node or npm is not here}"
  return 1
}
# Runs a function beside the steps that follow, with output and a group of processes of its own: `beside FUNCTION`. A fault
# ends it.
beside() {
  set -m
  (
    set +m
    step_name=$1
    SECONDS=0
    "$1"
    printf -- '-- after %d s\n' "$SECONDS"
  ) >"$scratch/$1.log" 2>&1 </dev/null &
  lanes[$1]=$!
  set +m
}
# Waits for it, and prints what it said.
joined() {
  local process=${lanes[$1]} failed=0
  unset "lanes[$1]"
  wait "$process" || failed=1
  cat "$scratch/$1.log"
  [ "$failed" = 0 ] || { echo "error: the step \"$1\" failed" >&2; exit 1; }
}
# A Python environment that is thrown away: `environment NAME PACKAGE..`.
environment() {
  python3 -m venv "$scratch/$1" && "$scratch/$1/bin/pip" install --quiet "${@:2}"
}
pages_in_a_browser() {
  mkdir "$scratch/ui" && tar -C ui --exclude node_modules -cf - . | tar -C "$scratch/ui" -xf - &&
    npm install --prefix "$scratch/ui" --no-save --no-audit --no-fund
}

step "tools"

command -v cargo >/dev/null || { echo "error: cargo is missing; hint: install Rust first" >&2; exit 2; }

for component in rustfmt clippy; do
  if ! cargo "${component/rustfmt/fmt}" --version >/dev/null 2>&1; then
    echo "installing the Rust component $component"
    rustup component add "$component"
  fi
done
if ! cargo nextest --version >/dev/null 2>&1; then
  echo "installing cargo-nextest"
  cargo install cargo-nextest --locked
fi

# GDAL is the oracle for GeoTIFF and MIF, PostgreSQL a store of contest servers, chromium walks through the pages; what is
# missing is installed where that is possible, and its tests skip themselves elsewhere.
missing=
command -v gdalinfo >/dev/null || missing="gdal-bin"
command -v pg_ctl >/dev/null || ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1 || missing="$missing postgresql"
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing="$missing chromium"
if [ -n "$missing" ]; then
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "installing $missing"
    # shellcheck disable=SC2086 # several packages
    { apt-get update -qq && apt-get install -y -qq $missing >/dev/null; } || skip "$missing could not be installed"
  else
    skip "$missing: not here; tests that need it skip themselves"
  fi
fi

if command -v python3 >/dev/null; then
  # evo (GPL-3.0) is started and compared with in an environment that is thrown away; nothing of it is shipped.
  install_beside evo environment evo "evo==1.38.*"
  install_beside opencv environment opencv numpy opencv-contrib-python-headless
  install_beside scipy environment scipy numpy scipy
  install_beside python crates/py/test.sh prepare
  install_beside openapi environment openapi "openapi-spec-validator==0.7.*"
fi
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if command -v node >/dev/null && command -v npm >/dev/null; then
  install_beside ui pages_in_a_browser
  [ -z "$browser" ] || install_beside pages npm install --prefix "$scratch/pages" --no-audit --no-fund axe-core@4 html-validate@10 puppeteer-core@24
fi

step "format"
cargo fmt --all --check

step "lints"
# With the studies, a program that nothing else builds.
cargo clippy --workspace --all-targets --features mapjudge-bench/studies --locked -- -D warnings

step "tests, compiled"
cargo nextest run --workspace --locked --no-run

# Lanes keep both cores busy from here on: the pages in a browser, which mostly waits, and fuzzing, which yields to everything
# else. They start what was built for the tests, and share no lock with the steps that compile.
mapjudge=$(realpath "${CARGO_TARGET_DIR:-target}/debug/mapjudge")
for name in evo opencv scipy openapi pages ui; do
  if installed "$name"; then here[$name]=1; else lacks[$name]=$why; fi
done
host=$(rustc -vV | sed -n 's/^host: //p')

pages() {
  if [ -z "$browser" ]; then
    skip "chromium is not here; no page was looked at"
  elif have pages; then
    echo "-- pages: valid, accessible, without a network"
    (cd "$scratch" && "$mapjudge" demo --quiet --out demo >/dev/null &&
      "$mapjudge" score demo/noise.yaml --truth demo/truth.yaml --out one --quiet >/dev/null &&
      "$mapjudge" score demo/noise.yaml demo/bend.yaml demo/shift.yaml --truth demo/truth.yaml --out several --quiet >/dev/null)
    node conformance/pages.mjs --modules "$scratch/pages/node_modules" --browser "$browser" \
      "$scratch"/demo/result/index.html "$scratch"/demo/result/teams/*/sheet.html "$scratch"/{one,several}/report.html
  fi
  have ui || return 0
  echo "-- pages in the browser: types, tests, the same bundle, journeys"
  (cd "$scratch/ui" && npm run --silent check && npm run --silent build)
  diff -r ui/dist "$scratch/ui/dist" || { echo "error: ui/dist is not what ui/src builds; hint: npm run build" >&2; exit 1; }
  [ -n "$browser" ] || return 0
  (cd "$scratch/ui" && MAPJUDGE="$mapjudge" CHROMIUM="$browser" node journeys/run.mjs)
}

pages_on_postgres() {
  if [ -z "$browser" ] || [ -z "${here[ui]:-}" ]; then
    return 0
  elif ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    (cd "$scratch/ui" && MAPJUDGE="$mapjudge" CHROMIUM="$browser" DATABASE=postgres node journeys/run.mjs a b c d)
  else
    skip "no PostgreSQL: the journeys a to d were walked on SQLite alone"
  fi
}

# Readers are safe Rust: checked arithmetic and assertions find what the address sanitizer would, in half the time. These are the
# flags of `cargo fuzz build --sanitizer none`, which needs a nightly compiler and a program that is first to be installed.
fuzzing() {
  local seconds=${FUZZ_SECONDS:-} found=$scratch/fuzz amount seed pids=() program
  if [ "$seconds" = 0 ]; then
    skip "FUZZ_SECONDS is 0; the corpus was replayed by the tests"
    return
  fi
  local passes="-Cpasses=sancov-module" pass
  for pass in level=4 inline-8bit-counters pc-table trace-compares stack-depth; do
    passes="$passes -Cllvm-args=-sanitizer-coverage-$pass"
  done
  export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-fuzz/target}
  RUSTFLAGS="--cfg fuzzing $passes -Cdebug-assertions -Ccodegen-units=16" \
    nice cargo build --manifest-path fuzz/Cargo.toml --release --quiet --target "$host"
  program=$(realpath "$CARGO_TARGET_DIR/$host/release/any_format")
  # One program reads every format; two processes with different seeds share the work. New inputs go to a folder of their own,
  # so that a run leaves the work tree as it was.
  amount="-runs=150000 -max_total_time=900"
  if [ -n "$seconds" ]; then
    amount="-max_total_time=$((seconds * $(wc -l <fuzz/selectors.txt) / 2 + 10))"
  fi
  for seed in 2009 2010; do
    mkdir -p "$found/$seed"
    # shellcheck disable=SC2086 # several flags
    nice "$program" "$found/$seed" fuzz/corpus/any_format -artifact_prefix="$found/" \
      $amount -seed="$seed" -rss_limit_mb=2048 -timeout=60 >"$found/$seed.log" 2>&1 &
    pids[seed]=$!
  done
  for seed in "${!pids[@]}"; do
    if ! wait "${pids[seed]}"; then
      tail -40 "$found/$seed.log" >&2
      mkdir -p fuzz/artifacts && cp "$found"/{crash,oom,timeout}-* fuzz/artifacts/ 2>/dev/null || true
      return 1
    fi
    echo "fuzzed with seed $seed: $(tail -1 "$found/$seed.log")"
  done
}

comparisons() {
  if command -v python3 >/dev/null; then
    echo "-- conformance vectors against their reference"
    python3 conformance/reference.py --check
  else
    skip "python3 is not here; the vectors themselves were tested above"
  fi
  if have evo; then
    echo "-- trajectories against evo"
    HOME="$scratch" "$scratch/evo/bin/python" conformance/against_evo.py --mapjudge "$mapjudge"
  fi
  if have opencv; then
    echo "-- thinning against OpenCV"
    "$scratch/opencv/bin/python" conformance/against_opencv.py --thin "$(dirname "$mapjudge")/examples/thin"
  fi
  if have scipy; then
    echo "-- statistics of the lab against SciPy"
    (cd "$scratch" && "$mapjudge" demo --quiet --out labelled >/dev/null &&
      "$mapjudge" lab labelled/{truth,noise,bend,shift,missing_wing}.yaml --damage noise,shift,unseen,mirror --levels 3 \
        --seeds 2 --metrics cells --quiet --out lab >/dev/null)
    "$scratch/scipy/bin/python" conformance/lab_statistics.py "$scratch/lab"
  fi
  if have openapi; then
    echo "-- a served contest from outside: its description, a full disk"
    "$scratch/openapi/bin/python" conformance/serve.py interface "$mapjudge"
    "$scratch/openapi/bin/python" conformance/serve.py disk "$mapjudge"
  fi
}

beside pages
beside pages_on_postgres
beside fuzzing

step "tests"
# The module of Python is compiled while the tests run, many of which wait: nextest has the lock of the compiler first.
install_beside module bash -c 'sleep 5; exec nice crates/py/test.sh build'
cargo nextest run --workspace --locked
# Programs that renew files are written as tests and are not run here.
{ grep -rhoE '#\[ignore = "[^"]+"' crates --include='*.rs' || true; } | sed -E 's/.*"(.+)"/a test that \1/' >>"$MAPJUDGE_SKIPPED"

beside comparisons

step "dependencies"
# Licences are tested above from the same list; cargo-deny adds advisories, duplicates and sources. It takes minutes to
# compile, so it is used where it is, and not installed.
if ! cargo deny --version >/dev/null 2>&1; then
  skip "cargo-deny is not here; licences were tested, advisories were not"
else
  cargo deny --all-features check --hide-inclusion-graph licenses bans sources
  if cargo deny fetch >"$scratch/deny.log" 2>&1; then
    cargo deny --all-features check advisories
  else
    skip "the list of advisories could not be fetched: $(tail -1 "$scratch/deny.log")"
  fi
fi

step "documentation of the library"
# With --workspace the crates that the tests built are used again; only the library's own pages hold tests.
cargo test --doc --workspace --locked --quiet
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

step "python"
# What could not be installed or built beside the tests is told, or done now.
installed module || true
installed python || true
crates/py/test.sh

step "comparisons: reference, evo, OpenCV, SciPy, a served contest"
joined comparisons

step "pages: valid, accessible, without a network; journeys in a browser"
joined pages
joined pages_on_postgres

step "fuzzing"
joined fuzzing

step ""
printf '\nall checks passed; %s of build files\n' "$(du -sh "${CARGO_TARGET_DIR:-target}" | cut -f1)"
if [ -s "$MAPJUDGE_SKIPPED" ]; then
  printf '\nskipped, with the number of times:\n'
  sort "$MAPJUDGE_SKIPPED" | uniq -c
else
  printf '\nnothing was skipped\n'
fi
