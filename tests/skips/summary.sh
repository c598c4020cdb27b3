#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# summary.sh FILE: one line on the tests in ctest's JUnit FILE: how many passed, were skipped, for
# which reasons (tests/support/skips.h), and failed. Ends with 1 where a skipped test gives no reason.
set -euo pipefail

awk '
  function grouped(number,  text, from) {
    text = number ""
    for (from = length(text) - 3; from > 0; from -= 3)
      text = substr(text, 1, from) "," substr(text, from + 1)
    return text
  }

  # What has no other end has failed: a program that is not there is "notrun", too.
  function finish() {
    if (isSkipped) { ++skipped; ++count[reason] }
    else if (status == "run") ++passed
    else ++failed
  }

  /^[ \t]*<testcase / {
    ++tests
    isSkipped = 0
    reason = "no reason given"
    status = $0
    sub(/.* status="/, "", status)
    sub(/".*/, "", status)
    if (status == "disabled") { isSkipped = 1; reason = "disabled" }
  }
  /^[ \t]*<skipped message="SKIP_/ { isSkipped = 1 }
  reason == "no reason given" && match($0, /\[reason: [^]]*\]/) {
    reason = substr($0, RSTART + 9, RLENGTH - 10)
  }
  /^[ \t]*<\/testcase>/ { finish() }

  END {
    reasonless = count["no reason given"]
    if (!reasonless) delete count["no reason given"]
    while (1) {  # The most frequent reason first; of equal ones the first in the alphabet.
      best = ""
      for (each in count)
        if (best == "" || count[each] > count[best] || (count[each] == count[best] && each < best))
          best = each
      if (best == "") break
      list = list (list == "" ? "" : ", ") grouped(count[best]) " " best
      delete count[best]
    }
    printf "%s test%s: %s passed, %s skipped%s, %s failed\n", grouped(tests + 0), tests == 1 ? "" : "s", grouped(passed + 0),
           grouped(skipped + 0), list == "" ? "" : " (" list ")", grouped(failed + 0)
    exit reasonless > 0
  }
' "$1"
