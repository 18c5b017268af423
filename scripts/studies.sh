#!/usr/bin/env bash
# Usage: scripts/studies.sh FOLDER
# Runs every studies/NAME.py with --json FOLDER/NAME.json (names that start with _ are shared code); runs them all, then
# fails if any failed. P0's pendulums, P3's net and P1's forest run shortened: all strategies over 1 s, nets of 40 x 40
# cells by all methods, and forests of a hundred thousand beams take long.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:?usage: scripts/studies.sh FOLDER}
mkdir -p "$folder"
shopt -s nullglob
declare -A options=([pendulums]="--quick --strategies E" [net]="--part all --n 12 --steps 20 --no-times"
  [forest]="--beams 1000,10000 --steps 50 --no-times")
failed=()
count=0
for study in studies/[!_]*.py; do
  name=$(basename "$study" .py)
  echo "== $name"
  # shellcheck disable=SC2086  # options are words
  "${PYTHON:-/usr/bin/python3}" "$study" ${options[$name]:-} --json "$folder/$name.json" || failed+=("$name")
  count=$((count + 1))
done
if ((${#failed[@]})); then
  echo "studies: ${#failed[@]} of $count failed: ${failed[*]}" >&2
  exit 1
fi
echo "studies: $count of $count within their tolerances; numbers in $folder"
