#!/usr/bin/env bash
# run.sh CEREUS THORN_FOLDER: ten steps of the example by one process and by two: nothing becomes not-a-number, and all text output is the same.
set -euo pipefail
parfile=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/example.yaml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$1" check "$parfile" --thorns "$2"
for n in 1 2; do
  "$1" run "$parfile" -n "$n" --thorns "$2" --activate NaNChecker --set NaNChecker.every=1 --set Cereus.iterations=10 --set Cereus.output="on$n"
done
for one in on1/*.asc; do
  [[ ! -e $one ]] || cmp <(grep -v '^#' "$one") <(grep -v '^#' "on2/${one#on1/}")
done
