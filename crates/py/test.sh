#!/usr/bin/env bash
# The Python module: packs the wheel, installs it into an empty environment, and runs its tests.
#
#   crates/py/test.sh             with the crates that the tests of Rust compiled
#   PYTHON=python3.13 crates/py/test.sh
#   crates/py/test.sh prepare     only installs the packages of the tests, beside something else
#   crates/py/test.sh build       only builds the module, beside something else
#
# `wheel.sh` builds and weighs the wheel as it is shipped, `engines.py` tries Ray, Dask and Spark, `random_calls.py` makes
# ten thousand calls, and `measure.py` measures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

python=${PYTHON:-python3}
target=${CARGO_TARGET_DIR:-target}
folder=$target/python
skip() {
  printf 'skipped: %s\n' "$1"
  [ -z "${MAPJUDGE_SKIPPED:-}" ] || printf '%s (step "python")\n' "$1" >>"$MAPJUDGE_SKIPPED"
}

if ! command -v "$python" >/dev/null || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
  skip "no Python of 3.10 or later; the Python module was not tested"
  exit 0
fi
mkdir -p "$folder"

# Packages that some tests need: all at once, or one by one where one cannot be had. Bytecode is made by the first import.
packages="numpy pytest pytest-xdist pandas pyarrow polars duckdb dask matplotlib mypy pyright evo"
prepare() {
  "$python" -m venv --clear "$folder/environment"
  local install=("$folder/environment/bin/pip" install --quiet --no-compile --disable-pip-version-check)
  if "$folder/environment/bin/pip" install --quiet --disable-pip-version-check uv >"$folder/pip.log" 2>&1; then
    install=("$folder/environment/bin/uv" pip install --quiet --python "$folder/environment/bin/python")
  fi
  # shellcheck disable=SC2086 # several packages
  "${install[@]}" $packages >"$folder/pip.log" 2>&1 && return
  for package in $packages; do
    "${install[@]}" "$package" >"$folder/pip.log" 2>&1 ||
      printf '%s could not be installed: %s\n' "$package" "$(tail -1 "$folder/pip.log")" >>"$folder/lacking"
  done
}

# The features of the crates are those that the tests of Rust compiled them with only if a test is asked for too: so nothing
# is compiled again but the module itself.
build() {
  cargo build --workspace --lib --bin mapjudge --test dependencies --locked --quiet
}

if [ "${1:-}" = build ]; then
  build
  exit 0
fi
if [ "${1:-}" = prepare ]; then
  rm -f "$folder/lacking"
  prepare
  touch "$folder/prepared"
  exit 0
fi
preparing=
if [ -e "$folder/prepared" ]; then
  # Once: another run begins with an empty environment again.
  rm "$folder/prepared"
else
  rm -f "$folder/lacking"
  prepare &
  preparing=$!
fi

build
version=$(cargo metadata --no-deps --format-version 1 --locked | "$python" -c \
  'import json, sys; print(next(p["version"] for p in json.load(sys.stdin)["packages"] if p["name"] == "mapjudge-py"))')
rm -rf "$folder/wheels"
"$python" crates/py/pack.py --library "$target/debug/libmapjudge_core.so" --version "$version" --out "$folder/wheels"

[ -z "$preparing" ] || wait "$preparing"
if [ -e "$folder/lacking" ]; then
  while read -r line; do skip "$line"; done <"$folder/lacking"
fi
bin=$folder/environment/bin
"$bin/pip" install --quiet --disable-pip-version-check "$folder"/wheels/mapjudge-*.whl
"$bin/python" crates/py/stubs.py --check

# Types are checked beside the tests.
types() {
  if [ -x "$bin/mypy" ]; then
    "$bin/mypy" --config-file crates/py/pyproject.toml --cache-dir "$folder/mypy" crates/py/python/mapjudge examples/python || return 1
  fi
  if [ -x "$bin/pyright" ]; then
    # Its program comes from another registry than the package.
    if ! "$bin/pyright" --version >"$folder/pyright.log" 2>&1; then
      echo "pyright could not be started: $(tail -1 "$folder/pyright.log")" >"$folder/untyped"
    else
      "$bin/pyright" --project crates/py --pythonpath "$bin/python" || return 1
    fi
  fi
}
rm -f "$folder/untyped"
types >"$folder/types.log" 2>&1 &
typing=$!
# The program that cargo built is what the module is compared with.
failed=0
workers=()
if "$bin/python" -c 'import xdist' 2>/dev/null; then workers=(-n 2 --dist worksteal); fi
MAPJUDGE=$(realpath "$target/debug/mapjudge") "$bin/python" -m pytest -q -p no:cacheprovider -rs "${workers[@]}" crates/py/tests || failed=1
wait "$typing" || failed=1
cat "$folder/types.log"
[ ! -e "$folder/untyped" ] || skip "$(cat "$folder/untyped")"
exit "$failed"
