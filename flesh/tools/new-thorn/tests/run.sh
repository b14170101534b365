#!/usr/bin/env bash
# run.sh CEREUS THORN_FOLDER: checks the example, then runs it in a folder of its own and looks at the result.
set -euo pipefail
parfile=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/decay.yaml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$1" check "$parfile" --thorns "$2"
"$1" run "$parfile" --thorns "$2"
awk '!/^#/ { u = $3 } END { if (u < 0.36787 || u > 0.36789) { print "u =", u, "is not exp(-1)"; exit 1 } }' \
  decay/*-state.average.asc
