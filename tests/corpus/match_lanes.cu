/*---
# SPDX-License-Identifier: Apache-2.0
title = "Who holds the same value"
sizes = { n = 1000 }
launch = { block = [32], grid = ["ceildiv(n, 32)"] }
operand = [
  { name = "in", type = "u64", extent = "n" },
  { name = "out", type = "u32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void match_lanes(const unsigned long long* in, unsigned* out, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  unsigned long long value = i < n ? in[i] % 8 : 99;
  unsigned same = __match_any_sync(0xffffffff, value);
  int everyone;
  __match_all_sync(0xffffffff, (unsigned)value, &everyone);
  if (i < n) out[i] = same ^ (everyone ? 1u : 0u);
}
