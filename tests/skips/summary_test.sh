#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What summary.sh says of files that ctest writes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect NAME STATUS LINE < FILE
expect() {
  cat >"$folder/tests.xml"
  local said status=0
  said=$("$here/summary.sh" "$folder/tests.xml") || status=$?
  if [ "$said" != "$3" ] || [ "$status" -ne "$2" ]; then
    printf '%s: expected, with %s,\n  %s\nand it says, with %s,\n  %s\n' "$1" "$2" "$3" "$status" "$said" >&2
    exit 1
  fi
}

passed() { printf '\t<testcase name="a: %s" classname="a" time="0.1" status="run">\n\t\t<system-out>%s\n</system-out>\n\t</testcase>\n' "$1" "${2:-}"; }
skipped() { printf '\t<testcase name="a" classname="a" time="0" status="notrun">\n\t\t<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>\n\t\t<system-out>x.cpp:3: Skipped\n%s\n\n[  SKIPPED ] x\n</system-out>\n\t</testcase>\n' "$1"; }

expect "no test at all" 0 "0 tests: 0 passed, 0 skipped, 0 failed" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="0" failures="0" disabled="0" skipped="0">
</testsuite>
XML

expect "ctest's own file, with one that gives no reason" 1 \
  "8 tests: 1 passed, 4 skipped (1 disabled, 1 no GPU, 1 no reason given, 1 no ssh server), 3 failed" \
  <"$here/ctest.xml"

expect "reasons in what a passed test prints do not count" 0 \
  "1 test: 1 passed, 0 skipped, 0 failed" < <(passed x "[reason: no GPU] printed")

expect "the most frequent reason comes first, and thousands have commas" 0 \
  "2,004 tests: 1,000 passed, 1,004 skipped (1,002 no GPU, 2 no CUDA Toolkit), 0 failed" < <(
    for ((i = 0; i < 1000; ++i)); do passed "$i"; done
    for ((i = 0; i < 2; ++i)); do skipped "[reason: no CUDA Toolkit] ptxas was not found"; done
    for ((i = 0; i < 1002; ++i)); do skipped "[reason: no GPU] there is no driver"; done
  )

expect "the first reason is the test's" 0 \
  "1 test: 0 passed, 1 skipped (1 no Slurm), 0 failed" < <(
    skipped "[reason: no Slurm] slurmd, see [reason: no GPU]"
  )
