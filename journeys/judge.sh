#!/usr/bin/env bash
# The journey of a judge: a stick with the folders of 12 teams, as they hand them in, to a printed ranking.
# Asserts the results and that it takes at most 6 commands of mapjudge.
#
#   MAPJUDGE=target/debug/mapjudge journeys/judge.sh
set -euo pipefail
program=$(realpath "${MAPJUDGE:-target/debug/mapjudge}")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

commands=0
# Runs a command of mapjudge and checks its exit code.
judge() {
  local expected=$1 code=0
  shift
  commands=$((commands + 1))
  "$program" "$@" >out.txt 2>err.txt || code=$?
  [ "$code" = "$expected" ] || fail "mapjudge $*: exit code $code instead of $expected"
}
fail() {
  echo "error: $1" >&2
  cat out.txt err.txt >&2 2>/dev/null || true
  exit 1
}
# Fails unless a file holds some words.
holds() {
  grep -qF -- "$2" "$1" || fail "$1 does not hold: $2"
}

# ---- what lies on the stick

header='"pois"\n"1.2"\n"%s"\n"Country"\n"2025-07-19"\n"14:30:05"\n"Final"\n\n'
columns='id,time,text,x,y,z,robot,mode,type'
# The seven true points; 32 of 80 points in all. A team may draw x and y from another origin.
rows() {
  awk -v dx="$1" 'BEGIN {
    split("7 7 7 flammable flammable helmet heat", name); split("ar_tag ar_tag ar_tag hazmat hazmat real_object heat_signature", kind)
    split("0 6 2 4 9 1 7", x); split("0 1 5 4 3 8 7", y)
    for (i = 1; i <= 7; i++) printf "%d,14:32:10,\"%s\",%.2f,%.2f,0.3,\"r1\",A,%s\n", i, name[i], x[i] + dx, y[i], kind[i]
  }'
}
list() { # TEAM SHIFT
  # shellcheck disable=SC2059
  printf "$header" "$1"
  echo "$columns"
  rows "$2"
}
# As a German spreadsheet saves it: semicolons between fields, commas in numbers.
german() { sed -e '/^[0-9i]/s/,/;/g' -e '/^[0-9]/s/\./,/g'; }

mkdir -p stick/{ground_truth,aurora,borealis,cascade,delta,echo,foxtrot,golf,hotel,india,juliet,kilo,lima}
list Organisers 0 >stick/ground_truth/pois.csv
list Aurora 3 >stick/aurora/pois.csv
list "Größe" 1 | german | iconv -f UTF-8 -t UTF-16LE >stick/borealis/pois.csv
list "Größe" 2 | german | iconv -f UTF-8 -t ISO-8859-1 >stick/cascade/POIS.CSV
list Delta 4 | sed -e 's/,ar_tag/,QR-Code/' -e 's/"flammable"/"Flammable"/' >stick/delta/pois.csv
list Echo 0 | head -n 12 >stick/echo/pois_old.csv
list Echo 5 >stick/echo/pois.csv
cp stick/aurora/pois.csv stick/foxtrot/pois.csv
list Golf 0 | awk -F, -v OFS=, '/^[0-9]/ { $4 *= 1000; $5 *= 1000 } { print }' >stick/golf/pois.csv
echo "we could not make it" >stick/hotel/readme.txt
printf '%%PDF-1.4\n\x01\x02' >stick/india/pois.csv
list Juliet 6 >stick/juliet/pois.csv
list Kilo 7 | sed -e 's/^id.*/&,,/' -e 's/,x,y,/,x-coord,y-coord,/' -e '/^[0-9]/s/$/,,/' >stick/kilo/pois.csv
touch stick/kilo/{Thumbs.db,.DS_Store,'~$pois.csv'}
list Lima 8 | sed '/heat_signature/d' >stick/lima/lima_pois.csv
if command -v python3 >/dev/null; then
  (cd stick/juliet && python3 -m zipfile -c ../juliet.zip pois.csv) && rm -r stick/juliet
fi

# ---- the journey

judge 1 lint stick
holds out.txt "12 teams: 10 usable, 2 broken (hotel, india)"
holds out.txt "ground_truth (truth): usable"
holds out.txt "CSV_MAY_BE_MILLIMETRES"
if grep -q "Thumbs.db\|DS_Store\|~\\$" out.txt; then fail "junk was looked at"; fi

judge 0 contest init stick --profile rrl-2025
cp out.txt stick/contest.toml
holds stick/contest.toml 'points = "ground_truth/pois.csv"'
holds stick/contest.toml 'several: echo'
holds stick/contest.toml 'no match: hotel'
if grep -q 'name = "ground_truth"' stick/contest.toml; then fail "the truth is a team"; fi

judge 1 contest check stick
holds out.txt "team echo: points: 2 files fit"
holds out.txt "team hotel: points: no file"
holds out.txt "10 of 12 teams have all required files; not ready"

# The judge says which list of echo counts.
sed -i.bak 's/^# files.points = "pois.csv"    # choose.*/files.points = "pois.csv"/' stick/contest.toml

judge 0 contest stick --out result
cp out.txt ranking.txt
holds err.txt "foxtrot: foxtrot/pois.csv: byte for byte the file of aurora"
holds err.txt "warning: hotel: points: no file"
for team in aurora borealis cascade delta echo foxtrot juliet kilo; do
  grep -q "^1,$team,40," result/ranking.csv || { cat result/ranking.csv >&2; fail "$team has not 40 points"; }
done
grep -q "^9,lima,21.25," result/ranking.csv || { cat result/ranking.csv >&2; fail "lima has not 21.25 points"; }
for team in golf hotel india; do
  grep -q ",$team,0," result/ranking.csv || { cat result/ranking.csv >&2; fail "$team has points"; }
done
for team in aurora lima; do
  [ -s "result/teams/$team/sheet.html" ] || fail "no sheet of $team"
done
holds result/teams/lima/sheet.html "missed"
holds result/index.html "lima"

[ "$commands" -le 6 ] || fail "it took $commands commands"
echo "judge: 12 teams ranked with $commands commands"
