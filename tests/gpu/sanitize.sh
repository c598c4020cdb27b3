#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the project's own kernels, plain, counting, reading clocks, traced and measured, under compute-sanitizer's four tools and
# prints one line for each. Needs a GPU and the CUDA Toolkit.
# Usage: [TOOLS="racecheck …"] tests/gpu/sanitize.sh BUILD_FOLDER/test_gpu [GTEST_FILTER]
set -u
program=${1:?name the program test_gpu}
filter=${2:-Counting.EachShipped*:OnGpu.RestoresWhat*}
status=0
for tool in ${TOOLS:-memcheck racecheck synccheck initcheck}; do
  log=$(mktemp)
  compute-sanitizer --tool "$tool" --error-exitcode 9 "$program" --gtest_filter="$filter" \
    > "$log" 2>&1
  code=$?
  summary=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$log" | tail -n 1)
  tests=$(grep -E '^\[  PASSED  \]|^\[  FAILED  \]' "$log" | head -n 1)
  printf '%-10s exit %d %s %s\n' "$tool" "$code" "$summary" "$tests"
  if [ "$code" -ne 0 ]; then
    status=1
    grep -E '^=========' "$log" | head -n 40
    grep -E 'Failure' -A 4 "$log" | head -n 20
  fi
  rm -f "$log"
done
exit $status
