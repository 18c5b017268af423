#!/usr/bin/env bash
# Usage: scripts/format.sh [--check]
# Formats the C++ and CUDA sources that git knows or would add; with --check only names what differs.
set -euo pipefail
cd "$(dirname "$0")/.."

action=(-i)
[[ ${1:-} == --check ]] && action=(--dry-run --Werror)
git ls-files -z --cached --others --exclude-standard --deduplicate -- '*.h' '*.cpp' '*.cu' '*.cuh' |
  xargs -0 -r sh -c 'for file; do [ -e "$file" ] && printf "%s\0" "$file"; done; true' _ |
  xargs -0 -r clang-format "${action[@]}"
