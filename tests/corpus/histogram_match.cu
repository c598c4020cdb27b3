/*---
# SPDX-License-Identifier: Apache-2.0
title = "Histogram: lanes with the same value add once"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "data", type = "u8", extent = "n" },
  { name = "bins", type = "u32", extent = "256", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

// match_any gives each lane the lanes that have the same value. The lowest of them adds for all.
__global__ void histogram_match(const unsigned char* data, unsigned* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? data[i] : -1;
  unsigned same = __match_any_sync(0xffffffff, value);
  bool lowest = __ffs(same) - 1 == threadIdx.x % 32;
  if (value >= 0 && lowest) atomicAdd(&bins[value], __popc(same));
}
