#!/bin/sh
# One run of a sweep for each task of a Slurm array, from the plan's line of that number:
#   sbatch --array=1-$(wc -l < plan.txt) src/cli/sweep/slurm.sh plan.txt
# Slurm numbers a task up to 1000 unless MaxArraySize says otherwise: split -l 1000 plan.txt, and an array for each part.
#SBATCH --job-name=sweep
#SBATCH --cpus-per-task=1
#SBATCH --output=slurm-%A_%a.log
set -eu
exec sh -c "$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$1")"
