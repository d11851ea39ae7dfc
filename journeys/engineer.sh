#!/usr/bin/env bash
# The robotics engineer's journey: 500 nightly maps through the gate in three commands.
#
# A night that is fine passes; a night with ten maps that got worse and one broken file fails, names them, and has the
# values of all others. MAPJUDGE names the program, MAPS the number of maps.
set -euo pipefail

mapjudge=$(realpath "${MAPJUDGE:-target/debug/mapjudge}")
maps=${MAPS:-500}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

fail() { echo "FAILED: $*" >&2; exit 1; }

# Runs a command of the engineer, counts it, and keeps its exit code in `code`.
commands=0
step() {
  commands=$((commands + 1))
  code=0
  "$@" >stdout 2>stderr || code=$?
}

# --- what the robots left: a place, and a map of it per night run, with a few wrong cells each
"$mapjudge" arena random --width 4.8 --height 3.6 --seed 7 --out arena >/dev/null
"$mapjudge" convert arena/truth.yaml truth.txt 2>/dev/null
# damage FOLDER PERMILLE FIRST LAST: maps FIRST to LAST with so many of a thousand known cells turned over
damage() {
  mkdir -p "$1"
  awk -v folder="$1" -v permille="$2" -v first="$3" -v last="$4" '
    { lines[NR] = $0 }
    END {
      for (map = first; map <= last; map++) {
        file = folder "/map" map ".txt"; state = 1000 + map
        for (l = 1; l <= NR; l++) {
          line = lines[l]
          if (line !~ /:/) {
            damaged = ""
            for (c = 1; c <= length(line); c++) {
              cell = substr(line, c, 1); state = (state * 16807) % 2147483647
              if (cell != "?" && state % 1000 < permille) cell = (cell == "#") ? "." : "#"
              damaged = damaged cell
            }
            line = damaged
          }
          print line > file
        }
        close(file)
      }
    }' truth.txt
}
damage good 10 1 "$maps"
mkdir bad && cp good/*.txt bad/
damage bad 300 1 10
head -c 200 good/map11.txt >bad/map11.txt

cat >limits.toml <<'END'
[limits]
overall_error = "<= 500"
known_coverage = ">= 0.9"
[tolerances]
overall_error = "5 %"
END
metrics=overall_error,known_coverage,occupied_iou

# --- a night that is fine: the gate is three commands, and all say so
step "$mapjudge" score good/*.txt --truth truth.txt --metrics $metrics --limits limits.toml --format junit --out night
[ "$code" = 0 ] || fail "a fine night: score gave $code: $(head -3 stderr)"
grep -q "tests=\"$((2 * maps))\" failures=\"0\" errors=\"0\"" stdout || fail "JUnit counts: $(sed -n 2p stdout)"
size=$(wc -c <night/report.html)
[ "$size" -lt 5000000 ] || fail "report.html has $size bytes"
for night in 1 2 3 4 5 6; do
  "$mapjudge" history add nightly night/report.json --time "2026-11-0${night}T02:00:00Z" --label "commit$night" --quiet
done
step "$mapjudge" history add nightly night/report.json --time 2026-11-07T02:00:00Z --label commit7
[ "$code" = 0 ] || fail "history add gave $code: $(cat stderr)"
step "$mapjudge" history check nightly --limits limits.toml
[ "$code" = 0 ] || fail "a fine night: history check gave $code: $(cat stdout)"
grep -q "values     $((3 * maps)) held, 0 worse, 0 lost, 0 not checked" stdout || fail "$(cat stdout)"
[ "$commands" = 3 ] || fail "the gate took $commands commands"

# --- a night that is not: ten maps worse, one file broken, all others judged
commands=0
cp night/report.json baseline.json
step "$mapjudge" score bad/*.txt --truth truth.txt --metrics $metrics --limits limits.toml --baseline baseline.json --format md --out night
[ "$code" = 2 ] || fail "a broken file: score gave $code"
grep -q "error: 1 of $maps cases could not be judged" stderr || fail "stderr: $(cat stderr)"
grep -q "### mapjudge: worse" stdout || fail "comment: $(head -3 stdout)"
grep -q "map11" stdout || fail "the comment does not name the broken map"
[ "$(grep -c '"error": ' night/report.json)" = 1 ] || fail "the report has no error case"
[ "$(grep -c '"id": "overall_error"' night/report.json)" = $((maps - 1)) ] || fail "not all others were judged"
step "$mapjudge" history add nightly night/report.json --time 2026-11-08T02:00:00Z --label commit8
[ "$code" = 0 ] || fail "history add gave $code"
step "$mapjudge" history check nightly --limits limits.toml
[ "$code" = 1 ] || fail "a bad night: history check gave $code"
for map in 1 2 3 4 5 6 7 8 9 10; do
  grep -q "WORSE      map$map: overall_error" stdout || fail "map$map is not named"
done
grep -q "ERROR      map11: could not be judged" stdout || fail "map11 is not named"
[ "$commands" = 3 ] || fail "the gate took $commands commands"

# --- where it began: the trend page
"$mapjudge" history show nightly --out trend >stdout
grep -q "8 entries, commit1 to commit8" stdout || fail "$(tail -2 stdout)"
[ "$(grep -c '<svg' trend/history.html)" -ge 3 ] || fail "the trend page has no figure per metric"
echo "engineer: $maps maps, 3 commands, a fine night passed and a bad one was caught"
