#!/usr/bin/env bash
# The researcher's journey: three SLAM systems ran on one log, each in the frame of its own start; a paper needs a table
# and a figure. At most three commands, counted below; making the inputs does not count.
#
#   MAPJUDGE=target/debug/mapjudge journeys/researcher.sh
set -euo pipefail

program=$(realpath "${MAPJUDGE:-target/debug/mapjudge}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() { echo "researcher: $1" >&2; exit 1; }
has() { grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "expected '$2' in $1"; }; }
lacks() { ! grep -qF -- "$2" "$1" || fail "did not expect '$2' in $1"; }
commands=0
mapjudge() { commands=$((commands + 1)); "$program" "$@"; }

# The inputs: a maze, a drive through it, and three systems that map it.
"$program" arena random --seed 3 --width 6 --height 3.6 --out arena --quiet > /dev/null
"$program" simulate arena --drive explore --longest 60 --out drive --quiet > /dev/null 2>&1
mkdir runs
for system in odometry robbie graph; do
    "$program" map drive/log.usar --mapper "$system" --out "$system" --quiet > /dev/null
    cp "$system/trajectory.tum" "runs/$system.tum"
done

# 1. The paper's table, and with it the figures and every single error.
mapjudge traj runs/*.tum --truth drive/truth.tum --metrics ate_translation,ate_rotation,rpe_translation \
    --format latex --digits 1 --unit cm --name graph=Ours --name odometry=Odometry --name robbie=RBPF --out paper > table.tex
has table.tex '\begin{tabular}{lrrrr}'
has table.tex '\toprule'
has table.tex 'Method & '
has table.tex '(cm)'
grep -qE '^Ours & .*\\mathbf\{0\.[5-9]\}' table.tex || fail "the best run is not bold: $(cat table.tex)"
[ "$(grep -cE '^(Ours|Odometry|RBPF) & ' table.tex)" -ge 3 ] || fail 'a method has no row'
for figure in paths paths_by_error errors_over_time poses_over_time ranking boxes; do
    [ -s "paper/$figure.svg" ] || fail "no $figure.svg"
    [ "$(head -c 5 "paper/$figure.pdf")" = '%PDF-' ] || fail "no $figure.pdf"
done
has paper/paths.svg 'Ours'
has paper/errors.csv 'run,time_s,true_time_s,x_m,y_m'
[ "$(wc -l < paper/errors.csv)" -gt 1000 ] || fail 'errors.csv has no row per pose'
if command -v pdflatex > /dev/null; then
    { echo '\documentclass{article}\usepackage{booktabs}\usepackage{graphicx}\begin{document}'; cat table.tex
      echo '\includegraphics[width=\linewidth]{paper/paths.pdf}\end{document}'; } > paper.tex
    pdflatex -interaction=batchmode paper.tex > /dev/null || fail 'the table does not compile'
fi

# 2. The same maps: the systems begin at their own origins, so they are aligned before they are scored.
mapjudge score odometry/map.yaml robbie/map.yaml graph/map.yaml --truth arena/truth.yaml --align auto \
    --metrics tolerance_f1_area,occupied_iou,chamfer_distance --format latex > maps.tex
has maps.tex '\toprule'
has maps.tex 'graph/map & '

# 3. A reviewer asks for a comparison with results of last month: they are read back, nothing is measured again.
mapjudge traj compare paper > saved.txt
has saved.txt 'Ours'
has saved.txt 'rmse'
has saved.txt 'sse'
lacks saved.txt RUNS_NOT_COMPARABLE

[ "$commands" -le 3 ] || fail "$commands commands, at most 3"
echo "researcher: table and figures in $commands commands"
