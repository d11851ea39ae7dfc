#!/usr/bin/env bash
# The wheel as it is shipped: built for manylinux_2_28, weighed, and tried in an empty environment of each Python at hand.
#
#   crates/py/wheel.sh                    builds by maturin and zig; a quarter of an hour
#   crates/py/wheel.sh --reuse            tries the wheel of an earlier run
#   PYTHONS="python3.10 python3.13" crates/py/wheel.sh
#   SDIST=1 crates/py/wheel.sh            also builds a wheel out of the source distribution
#
# Ends with 1 if a limit is missed: 15 MB, the tag of manylinux_2_28 or an older one, no compiler, import in 30 ms of
# processor time without numpy.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

folder=${CARGO_TARGET_DIR:-target}/wheel
missed=0
check() { # condition's exit code, words
  if [ "$1" = 0 ]; then printf 'ok      %s\n' "$2"; else printf 'MISSED  %s\n' "$2"; missed=1; fi
}

# Every Python of 3.10 and later: those on the path, and those of pyenv.
pythons() {
  if [ -n "${PYTHONS:-}" ]; then printf '%s\n' $PYTHONS; return; fi
  for python in python3.1{0..9} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1{0..9}*/bin/python3; do
    if command -v "$python" >/dev/null && "$python" -c '' 2>/dev/null; then printf '%s\n' "$python"; fi
  done
}

mkdir -p "$folder"
if [ "${1:-}" != --reuse ]; then
  rm -rf "$folder/wheels" "$folder/sdist"
  python3 -m venv --clear "$folder/tools"
  "$folder/tools/bin/pip" install --quiet "maturin>=1.7,<2" ziglang auditwheel
  PATH="$(realpath "$folder/tools/bin"):$PATH" maturin build --zig --quiet --profile "${PROFILE:-dist}" --locked --compression-level 9 \
    --manifest-path crates/py/Cargo.toml --compatibility manylinux_2_28 --out "$folder/wheels"
  "$folder/tools/bin/maturin" sdist --manifest-path crates/py/Cargo.toml --out "$folder/sdist"
fi
wheel=$(ls "$folder"/wheels/*.whl)
bytes=$(stat -c %s "$wheel")
printf '%s: %s bytes\n' "$(basename "$wheel")" "$bytes"
check "$((bytes > 15000000))" "the wheel has $((bytes / 100000))e5 bytes, at most 15 MB"
"$folder/tools/bin/auditwheel" show "$wheel" | tr '\n' ' ' | tr -s ' ' >"$folder/auditwheel.txt" || true
grep -oE 'consistent with the following platform tag: "[^"]+"' "$folder/auditwheel.txt" || cat "$folder/auditwheel.txt"
tag=$(grep -oE '"manylinux_2_[0-9]+' "$folder/auditwheel.txt" | grep -oE '[0-9]+$' | head -1)
check "$((${tag:-99} > 28))" "auditwheel finds manylinux_2_${tag:-none}, at most 2_28"

while read -r python; do
  "$python" -m venv --clear "$folder/empty"
  # Without a compiler in reach: numpy and mapjudge come as wheels, or not at all.
  code=0
  CC=/bin/false CXX=/bin/false RUSTC=/bin/false "$folder/empty/bin/pip" install --quiet --only-binary :all: --disable-pip-version-check "$wheel" || code=$?
  check "$code" "$("$python" --version): pip install in an empty environment"
  [ "$code" = 0 ] || continue
  code=0
  "$folder/empty/bin/python" crates/py/smoke.py || code=$?
  check "$code" "$("$python" --version): scores arrays, files and trajectories, imports in time"
  code=0
  "$folder/empty/bin/mapjudge" --version || code=$?
  check "$code" "$("$python" --version): the console script"
done < <(pythons)

sdist=$(ls "$folder"/sdist/*.tar.gz)
printf '%s: %s bytes\n' "$(basename "$sdist")" "$(stat -c %s "$sdist")"
if [ -n "${SDIST:-}" ]; then
  code=0
  # Without optimisation: that it compiles is the question.
  CARGO_TARGET_DIR="$(realpath "$folder")/sdist-target" MATURIN_PEP517_ARGS="--profile dev" \
    "$folder/tools/bin/pip" wheel --quiet --no-deps --wheel-dir "$folder/from-sdist" "$sdist" || code=$?
  check "$code" "a wheel is built out of the source distribution"
fi
exit "$missed"
