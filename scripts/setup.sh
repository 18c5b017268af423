#!/usr/bin/env bash
# Usage: scripts/setup.sh [build|check]
# Debian 12: installs what is missing from scripts/packages.txt; no call to apt when nothing is.
# Elsewhere: looks for each package's command, header or Python module, names what is missing and stops.
set -euo pipefail
cd "$(dirname "$0")/.."

group=${1:-build}
python=${PYTHON:-/usr/bin/python3}
case $group in
  build | check) ;;
  *)
    echo "setup: unknown group '$group'; use build or check" >&2
    exit 2
    ;;
esac

packages() {  # "package probe reason" of every line that the group needs
  awk -v group="$group" '!/^#/ && NF && ($2 == "build" || $2 == group) {
    package = $1; probe = $3; $1 = $2 = $3 = ""; sub(/^ +/, ""); print package, probe, $0 }' scripts/packages.txt
}

is_debian_12() {
  [[ -r /etc/os-release ]] && (. /etc/os-release && [[ ${ID:-} == debian && ${VERSION_ID:-} == 12 ]])
}

missing_by_dpkg() {
  local installed
  installed=$(packages | cut -d' ' -f1 |
    xargs dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' || true)
  comm -23 <(packages | cut -d' ' -f1 | sort) <(sort <<<"$installed")
}

has_header() {  # alternatives separated by |
  local name include
  command -v g++ >/dev/null || return 1
  include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null || true)
  for name in ${1//|/ }; do
    echo "#if !__has_include(<${name/#@python/$include}>)
#error
#endif" | g++ -E -x c++ - >/dev/null 2>&1 && return 0
  done
  return 1
}

missing_by_probe() {
  local package probe reason
  while read -r package probe reason; do
    case $probe in
      command:python3) [[ -x $python ]] ;;
      command:*) command -v "${probe#command:}" >/dev/null ;;
      header:*) has_header "${probe#header:}" ;;
      python:*) "$python" -c "import ${probe#python:}" 2>/dev/null ;;
      *) false ;;
    esac || printf '  %-20s %s\n' "$package" "$reason"
  done < <(packages)
}

if ! is_debian_12; then
  missing=$(missing_by_probe)
  [[ -z $missing ]] && exit 0
  {
    echo "setup: this system is not Debian 12, so nothing was installed. Missing, by Debian's names:"
    echo "$missing"
    echo "setup: install the equivalents with this system's package manager, then run make again."
    echo "setup: Python modules are looked for in $python; choose another with make PYTHON=/path/to/python3."
  } >&2
  exit 1
fi

mapfile -t missing < <(missing_by_dpkg)
((${#missing[@]} == 0)) && exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    {
      echo "setup: missing packages: ${missing[*]}"
      echo "setup: no sudo here; as root run: apt-get install --no-install-recommends ${missing[*]}"
    } >&2
    exit 1
  fi
  as_root=(sudo)
fi
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)

echo "setup: installing ${missing[*]}"
"${apt[@]}" update || echo "setup: the package lists could not be refreshed; trying with those at hand" >&2
"${apt[@]}" install --no-install-recommends "${missing[@]}"

mapfile -t missing < <(missing_by_dpkg)
if ((${#missing[@]})); then
  echo "setup: still missing after the installation: ${missing[*]}" >&2
  exit 1
fi
