#!/usr/bin/env bash
# Usage: scripts/check.sh [includes|format|warnings|tidy|sanitize|address|threads]...
# Without an argument the first four, the quick ones first; sanitize is address and threads, each an instrumented build of
# its own that runs every test.
# tidy looks at the files changed since the upstream branch, or since CHECK_BASE; without either, since the last commit,
# and at the last commit itself when the tree is clean.
set -uo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-/usr/bin/python3}
build=build-check  # warnings as errors, and no precompiled headers, so that every file shows its own includes

configure() { cmake --preset check -DPython3_EXECUTABLE="$python" >"$1" 2>&1 || { cat "$1"; return 1; }; }

includes() { "$python" scripts/check_includes.py; }

format() {
  scripts/format.sh --check && return
  echo "run: make format"
  return 1
}

warnings() {
  local log
  log=$(mktemp)
  configure "$log" && cmake --build $build -j "${JOBS:-$(nproc)}"
  local status=$?
  rm -f "$log"
  return $status
}

changed_files() {
  local base=${CHECK_BASE:-}
  [[ -z $base ]] && base=$(git merge-base HEAD '@{upstream}' 2>/dev/null)
  if [[ -z $base ]]; then
    base=HEAD
    [[ -z $(git status --porcelain) ]] && base=$(git rev-parse -q --verify HEAD~1 || echo HEAD)
  fi
  { git diff --name-only --diff-filter=d "$base" && git ls-files --others --exclude-standard; } | sort -u
}

tidy() {
  local log file translation_units
  log=$(mktemp)
  configure "$log" || return 1
  rm -f "$log"
  # A changed header is read through the source of the same name.
  translation_units=$(changed_files | sed -n 's/\.h$/.cpp/p; /\.cpp$/p' | sort -u | while read -r file; do
    grep -qF "\"file\": \"$PWD/$file\"" $build/compile_commands.json && echo "$file"
  done)
  [[ -z $translation_units ]] && echo "no changed source" && return
  # The compiler's own warnings are the business of `warnings`.
  xargs -P "${JOBS:-$(nproc)}" -n 1 clang-tidy -p $build --quiet --warnings-as-errors='*' \
    --extra-arg=-Wno-error --extra-arg=-Wno-unknown-warning-option <<<"$translation_units" \
    2> >(grep -v ' warnings\? generated\.$' >&2)
}

sanitized() {  # a preset; every test
  cmake --preset "$1" -DPython3_EXECUTABLE="$python" >/dev/null &&
    cmake --build --preset "$1" -j "${JOBS:-$(nproc)}" && ctest --preset "$1" --no-label-summary -j "${JOBS:-$(nproc)}"
}
address() { sanitized debug; }
threads() { sanitized threads; }
sanitize() {
  local status=0
  address || status=1
  threads || status=1
  return $status
}

failed=()
for part in "${@:-includes format warnings tidy}"; do
  for name in $part; do
    case $name in
      includes | format | warnings | tidy | sanitize | address | threads) ;;
      *)
        echo "check: unknown part '$name'; use includes, format, warnings, tidy, sanitize, address or threads" >&2
        exit 2
        ;;
    esac
    echo "== $name"
    "$name" || failed+=("$name")
  done
done
if ((${#failed[@]})); then
  echo "check: failed: ${failed[*]}" >&2
  exit 1
fi
echo "check: all clean"
