#!/usr/bin/env bash
# Feeds a target with bytes that libFuzzer makes up, and keeps what reaches new code in its corpus.
#   fuzz.sh TARGET [SECONDS]        TARGET.cpp stands beside this; 600 s by default; needs clang
# Ends with 0 if nothing was found; else with the input that did it, in the working directory.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=${1:?"usage: fuzz.sh TARGET [SECONDS]"} seconds=${2:-600}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir cereus  # for what CMake makes elsewhere
echo 'namespace cereus { inline constexpr const char* abi_headers = "fuzz"; }' > cereus/abi_headers.hpp
flags="-I. -std=c++20 -g -O1 -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -DCEREUS_LIBFUZZER -DOMPI_SKIP_MPICXX
  -I$root/flesh/include -I$root/flesh/src -I$root/flesh/languages -I$root/thorns/Checkpoint/src $(pkg-config --cflags ompi-c)"
sources=("$root/tests/fuzz/$target.cpp" "$root/tests/fuzz/main.cpp" "$root"/flesh/src/base/{hash,text}.cpp)
case $target in
  parameter_file) sources+=("$root"/flesh/src/parameter/{parameter_file,yaml_file,text_file,node}.cpp) ;;
  expression) sources+=("$root"/flesh/src/parameter/expression.cpp) ;;
  manifest) sources+=("$root"/thorns/Checkpoint/src/manifest.cpp) ;;
  plugin) sources+=("$root"/flesh/src/plugin/elf.cpp) ;;
  equations) sources+=("$root"/flesh/languages/equations/*.cpp) ;;
  stencils) sources+=("$root"/flesh/languages/{equations/source,equations/token}.cpp "$root"/flesh/languages/stencils/*.cpp) ;;
esac
# shellcheck disable=SC2086  # a list of words
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -I{} sh -c 'clang++ '"$(echo $flags)"' -c {} -o "$(echo {} | tr / _).o"'
clang++ -fsanitize=fuzzer,address,undefined ./*.o -o fuzz -lyaml-cpp -lfmt
mkdir found shipped  # texts of the languages
case $target in
  equations)
    for file in "$root"/thorns/*/equations.edl; do cp "$file" "shipped/$(basename "$(dirname "$file")")"; done
    for file in $(grep -l '^equations: |' "$root"/parfiles/*.yaml); do
      awk '/^[^ ]/ {inside = /^equations:/; next} inside' "$file" | sed 's/^  //' > "shipped/$(basename "$file")"
    done ;;
  stencils) cp "$root"/thorns/Stencils/programs/*.stencil shipped ;;
esac
cd "$OLDPWD"
"$work/fuzz" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=30 -seed=1 -print_final_stats=1 "$work/found" "$root/tests/fuzz/corpus/$target" "$work/shipped"
find "$work/found" -type f -size +400c -delete  # the repository stays small
"$work/fuzz" -merge=1 -rss_limit_mb=1024 "$root/tests/fuzz/corpus/$target" "$work/found" >/dev/null 2>&1 || true
