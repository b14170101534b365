#!/usr/bin/env bash
# run.sh CEREUS THORN_FOLDER: checks the example, then runs it in a folder of its own.
set -euo pipefail
parfile=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/@NAME@.yaml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CEREUS_THORN_PATH=$2
cd "$folder"
"$1" check "$parfile"
"$1" run "$parfile"
