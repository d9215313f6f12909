#!/usr/bin/env bash
#SBATCH --job-name=perfectplay
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --mem=120G
#SBATCH --time=24:00:00
#SBATCH --signal=INT@120
#
# Runs one game on the nodes of a job:
#
#   sbatch slurm.sh GAME [NAME=VALUE …]
#
# A run that is ended goes on when the same job is submitted once more, with as many nodes: FOLDER must be shared and stay.
set -euo pipefail

folder=${FOLDER:-$SLURM_SUBMIT_DIR/table}
port=${PORT:-2101}
mkdir -p "$folder"
scontrol show hostnames "$SLURM_JOB_NODELIST" | sed "s/\$/:$port/" > "$folder/hosts"

# One process a node; its number is that of its task.
export FOLDER=$folder
srun --kill-on-bad-exit=0 bash -c '
    exec perfectplay cluster run "$@" --hosts "$FOLDER/hosts" --process "$SLURM_PROCID" \
        --workers "$SLURM_CPUS_PER_TASK" --memory 110G -o "$FOLDER" --save-every 10m
' perfectplay "$@"
