#!/bin/sh
# Scores the pairs of a manifest as an array of Slurm jobs, one shard each. A task that is preempted or killed goes on
# where it was when it is started again.
#
#   sbatch --array=1-16 array.sh
#   sbatch --dependency=afterany:JOBID --wrap "mapjudge merge results --manifest pairs.jsonl --out all.parquet"
#
#SBATCH --job-name=mapjudge
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -eu

# Tasks are counted from 1, as shards are.
mapjudge score --quiet --manifest pairs.jsonl --job job.toml --out results \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --threads "${SLURM_CPUS_PER_TASK:-1}"
