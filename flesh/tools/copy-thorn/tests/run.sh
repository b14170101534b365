#!/usr/bin/env bash
# run.sh CEREUS THORN_FOLDER: checks the example, then takes a step of it in a folder of its own.
set -euo pipefail
parfile=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/example.yaml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$1" check "$parfile" --thorns "$2"
"$1" run "$parfile" --thorns "$2" --set Cereus.iterations=1
