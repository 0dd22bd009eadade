/** The script that puts the bundle into a checkout of RAGEN and starts its runs, one after the other. */
export function runScript(runs: readonly string[], version: string): string {
  const [repository, commit] = version.split("@") as [string, string];
  return `#!/usr/bin/env bash
# Usage: bash run.sh FOLDER_OF_RAGEN [RUN ...]
# Runs: ${runs.join(" ")} (all of them, if none is named)
set -euo pipefail
here="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
ragen="\${1:?the folder of a checkout of ${repository} is missing}"
shift
if [ ! -f "$ragen/train.py" ] || [ ! -d "$ragen/config" ]; then
  echo "$ragen is no checkout of ${repository}" >&2
  exit 2
fi
found="$(git -C "$ragen" rev-parse HEAD 2>/dev/null || echo unknown)"
if [ "$found" != ${commit} ]; then
  echo "the keys are of ${version}; this is $found" >&2
fi
if [ $# -eq 0 ]; then
  set -- ${runs.join(" ")}
fi
for run in "$@"; do
  if [ ! -f "$here/config/$run.yaml" ]; then
    echo "there is no run $run; runs: ${runs.join(" ")}" >&2
    exit 2
  fi
  cp "$here/config/$run.yaml" "$ragen/config/"
done
cd "$ragen"
for run in "$@"; do
  python train.py --config-name "$run"
done
`;
}
