#!/bin/bash
# A study as an array job: slurm-array.sh PLAN FOLDER [SHARDS] [AT ONCE]
#   fleetwave study plan hills.yaml --out plan.json
#   slurm-array.sh plan.json "$SCRATCH/hills" 200 50
# The folder is on a disk that all nodes share. What a killed task lacks is sent again, and each
# round of a study with `until` is a job more. It ends when the study is whole.
set -euo pipefail
plan=$1 folder=$2 shards=${3:-200} once=${4:-50}
fleetwave=${FLEETWAVE:-fleetwave}

missing() { $fleetwave study missing "$plan" --sink "dir:$folder" --shards "$shards" --format slurm; }

tries=0
while lacks=$(missing) && [ -n "$lacks" ]; do
  tries=$((tries + 1))
  # A world that takes its task along each time would be sent for ever.
  [ "$tries" -le 50 ] || { echo "shards $lacks came to no end in 50 jobs" >&2; exit 3; }
  # sbatch ends with what its worst task ended with, and that one is sent again.
  sbatch --wait --array="$lacks%$once" --cpus-per-task=1 --output=/dev/null --wrap \
    "$fleetwave study run '$plan' --workers 1 --shard \$SLURM_ARRAY_TASK_ID/$shards --sink 'dir:$folder'" \
    || true
done
$fleetwave study merge "$plan" --sink "dir:$folder"
