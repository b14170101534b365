#!/usr/bin/env bash
# convergence.sh CEREUS THORN_FOLDER: the first eight steps of the example at three resolutions come closer to each other. Exit code 77: skipped.
# Who knows the order that the thorn should have asks for it here.
set -euo pipefail
parfile=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/example.yaml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$1" run "$parfile" --thorns "$2" --set Cereus.iterations=8 --set Cereus.output=first --quiet
end=$(sed -n 's/.*"time": *\([-+.0-9e]*\).*/\1/p' first/progress.json)
if ! said=$("$1" convergence "$parfile" --thorns "$2" --set Cereus.final_time="$end" 2>&1); then
  if [[ $said == *"apt-get install python3"* ]]; then echo "SKIPPED: $said" && exit 77; fi
  if [[ $said == *"have no field in common"* ]]; then echo "SKIPPED: no time integrator evolves anything here; name what to compare by --variable" && exit 77; fi
  echo "$said" && exit 1
fi
echo "$said"
awk 'function finite(x) { return x !~ /nan|inf/ }  # what does not change has no order
     /: order / { n++; if (!(finite($9) && ($9 + 0 < 1e-12 || finite($3) && $3 + 0 > 0))) wrong = 1 }
     END { if (!n || wrong) { print "finer runs do not come closer"; exit 1 } }' <<< "$said"
