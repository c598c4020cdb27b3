#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README explains every reason for which a test may be skipped, and no other.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

listed=$(sed -n 's/.*SkipReason k[A-Za-z0-9]*{"\(.*\)"};.*/\1/p' tests/support/skips.h | sort)
explained=$(sed -n 's/^| `\(.*\)` |.*/\1/p' README.md | sort)
[ -n "$listed" ] || { echo "tests/support/skips.h lists no reason" >&2; exit 1; }
diff <(echo "$listed") <(echo "$explained") >&2 || {
  echo "tests/support/skips.h (<) and the table in README.md (>) have different reasons" >&2
  exit 1
}
