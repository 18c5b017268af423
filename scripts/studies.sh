#!/usr/bin/env bash
# Usage: scripts/studies.sh FOLDER
# Runs every studies/NAME.py with --json FOLDER/NAME.json (names that start with _ are shared code); runs them all, then
# fails if any failed.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:?usage: scripts/studies.sh FOLDER}
mkdir -p "$folder"
shopt -s nullglob
failed=()
count=0
for study in studies/[!_]*.py; do
  name=$(basename "$study" .py)
  echo "== $name"
  "${PYTHON:-/usr/bin/python3}" "$study" --json "$folder/$name.json" || failed+=("$name")
  count=$((count + 1))
done
if ((${#failed[@]})); then
  echo "studies: ${#failed[@]} of $count failed: ${failed[*]}" >&2
  exit 1
fi
echo "studies: $count of $count within their tolerances; numbers in $folder"
