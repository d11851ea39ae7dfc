#!/usr/bin/env bash
# The Python module: builds the wheel, installs it into an empty environment, and runs its tests.
#
#   crates/py/test.sh             with the profile of the tests of Rust, whose crates are used again
#   MATURIN=release crates/py/test.sh     the wheel as it is shipped
#   PYTHON=python3.13 crates/py/test.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

python=${PYTHON:-python3}
folder=${CARGO_TARGET_DIR:-target}/python
skip() {
  printf 'skipped: %s\n' "$1"
  [ -z "${MAPJUDGE_SKIPPED:-}" ] || printf '%s (step "python")\n' "$1" >>"$MAPJUDGE_SKIPPED"
}

if ! command -v "$python" >/dev/null || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
  skip "no Python of 3.10 or later; the Python module was not tested"
  exit 0
fi
mkdir -p "$folder"
rm -rf "$folder/wheels"
# With the crates that the tests of Rust compiled; `MATURIN=1` builds the wheel as it is shipped, which compiles them anew.
if [ -n "${MATURIN:-}" ]; then
  "$python" -m venv --clear "$folder/tools"
  "$folder/tools/bin/pip" install --quiet "maturin>=1.7,<2"
  "$folder/tools/bin/maturin" build --quiet --profile "$MATURIN" --locked --manifest-path crates/py/Cargo.toml \
    --interpreter "$python" --compatibility linux --out "$folder/wheels"
else
  cargo build --workspace --locked --quiet
  version=$(cargo metadata --no-deps --format-version 1 --locked | "$python" -c \
    'import json, sys; print(next(p["version"] for p in json.load(sys.stdin)["packages"] if p["name"] == "mapjudge-py"))')
  "$python" crates/py/pack.py --library "${CARGO_TARGET_DIR:-target}/debug/libmapjudge_core.so" --version "$version" --out "$folder/wheels"
fi

"$python" -m venv --clear "$folder/environment"
"$folder/environment/bin/pip" install --quiet "$folder"/wheels/mapjudge-*.whl
# Packages that some tests need; each is left out by name where it cannot be had.
for package in pytest pandas pyarrow polars matplotlib mypy evo; do
  "$folder/environment/bin/pip" install --quiet "$package" >"$folder/pip.log" 2>&1 ||
    skip "$package could not be installed: $(tail -1 "$folder/pip.log")"
done
"$folder/environment/bin/python" crates/py/stubs.py --check
"$folder/environment/bin/python" -m pytest -q -p no:cacheprovider -rs crates/py/tests
if [ -x "$folder/environment/bin/mypy" ]; then
  "$folder/environment/bin/mypy" --config-file crates/py/pyproject.toml --cache-dir "$folder/mypy" crates/py/python/mapjudge
fi
