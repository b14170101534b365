#!/usr/bin/env bash
# convergence.sh CEREUS THORN_FOLDER: the order of the example in space, from runs at three resolutions. Exit code 77: skipped.
set -euo pipefail
parfile=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/example.yaml
order=2
options=(--set @NAME@.noise=0)  # which differs from one resolution to the next
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! said=$("$1" convergence "$parfile" --thorns "$2" "${options[@]}" 2>&1); then
  if [[ $said == *"apt-get install python3"* ]]; then echo "SKIPPED: $said" && exit 77; fi
  echo "$said" && exit 1
fi
echo "$said"
awk -v order=$order '/: order / { n++; if (!($3 > order - 0.2 && $3 < order + 0.2)) wrong = 1 }
     END { if (!n || wrong) { print "the order is not", order; exit 1 } }' <<< "$said"
