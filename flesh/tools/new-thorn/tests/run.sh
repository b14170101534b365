#!/usr/bin/env bash
# run.sh CEREUS THORN_FOLDER: checks the example, then runs it in a folder of its own and looks at the result.
set -euo pipefail
parfile=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/example.yaml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$1" check "$parfile" --thorns "$2"
"$1" run "$parfile" --thorns "$2"
awk '!/^#/ { u = $3 } END { if (!(u > 0.365 && u < 0.373)) { print "u =", u, "is not exp(-1)"; exit 1 } }' \
  example/*-state.maximum.asc
awk '!/^#/ { if (!n++) first = $3; last = $3 }
     END { if (first^2 < 1e-12 || (last - first)^2 > 1e-24) { print "the average of the noise went from", first, "to", last; exit 1 } }' \
  example/*-state.average.asc
