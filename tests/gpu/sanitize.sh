#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the project's own kernels under compute-sanitizer's four tools and prints one line for each:
# those of kernels/ plain, counting, reading clocks, traced and measured, and every rung of the
# ladder. Needs a GPU and the CUDA Toolkit.
# Usage: [TOOLS="racecheck …"] tests/gpu/sanitize.sh BUILD_FOLDER/test_gpu [GTEST_FILTER]
# With a filter, the named program alone runs.
set -u
program=${1:?name the program test_gpu}
status=0

# check TOOL PROGRAM FILTER
check() {
  log=$(mktemp)
  compute-sanitizer --tool "$1" --error-exitcode 9 "$2" --gtest_filter="$3" > "$log" 2>&1
  code=$?
  summary=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$log" | tail -n 1)
  tests=$(grep -E '^\[  PASSED  \]|^\[  FAILED  \]' "$log" | head -n 1)
  printf '%-10s %-15s exit %d %s %s\n' "$1" "$(basename "$2")" "$code" "$summary" "$tests"
  if [ "$code" -ne 0 ]; then
    status=1
    grep -E '^=========' "$log" | head -n 40
    grep -E 'Failure' -A 4 "$log" | head -n 20
  fi
  rm -f "$log"
}

for tool in ${TOOLS:-memcheck racecheck synccheck initcheck}; do
  if [ $# -ge 2 ]; then
    check "$tool" "$program" "$2"
  else
    check "$tool" "$program" \
      'Counting.EachShipped*:OnGpu.RestoresWhat*:*LadderOnGpu.OnceAndSmall*'
  fi
done
exit $status
