#!/usr/bin/env bash
# The student's journey: from a bag to a map with its page, by one command.
#
#   journeys/student.sh                          walks it with target/debug/mapjudge
#   MAPJUDGE=path/to/mapjudge journeys/student.sh
set -euo pipefail

program=$(realpath "${MAPJUDGE:-$(dirname "${BASH_SOURCE[0]}")/../target/debug/mapjudge}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  printf 'student: %s\n' "$1" >&2
  exit 1
}
# A step of the journey itself; what comes before only makes the bag.
commands=0
step() {
  commands=$((commands + 1))
  "$program" "$@"
}
# A number of a report.
number() {
  sed -n "s/^  \"$2\": \([0-9.]*\),\{0,1\}\$/\1/p" "$1"
}

# A robot that explored for a minute, and its bag.
"$program" --quiet arena random --seed 3 --out place >/dev/null
"$program" --quiet simulate place --drive explore --longest 60 --out run >/dev/null
"$program" --quiet convert run/log.usar run.mcap --lossy >/dev/null

step map run.mcap --out map

for name in map.pgm map.yaml map.tif trajectory.tum report.json index.html; do
  [ -s "map/$name" ] || fail "map/$name is missing"
done
scans=$(number map/report.json scans)
matched=$(number map/report.json matched)
[ "$scans" -gt 500 ] || fail "only '$scans' scans"
[ "$matched" = "$scans" ] || fail "$matched of $scans scans matched"
grep -q '<canvas' map/index.html || fail "the page has no player"
[ "$(wc -c <map/index.html)" -lt 5000000 ] || fail "the page has 5 MB or more"
! grep -q 'src="http' map/index.html || fail "the page asks the network"
[ "$commands" -le 1 ] || fail "$commands commands"

# The map is one of the place: it fits the truth.
"$program" --quiet score map/map.yaml --truth place/truth.yaml --align auto --metrics median_wall_distance --format json >score.json \
  || fail "the map does not fit the place"
printf 'student: %s scans, %s matched, %s command\n' "$scans" "$matched" "$commands"
