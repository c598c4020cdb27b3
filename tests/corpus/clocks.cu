/*---
# SPDX-License-Identifier: Apache-2.0
title = "Clocks go on"
sizes = { n = 100 }
launch = { block = [32], grid = ["ceildiv(n, 32)"] }
operand = [
  { name = "out", type = "i32", extent = "n", direction = "out", expect = "1" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void clocks(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long before = clock64();
  unsigned short_before = clock();
  __threadfence_block();
  long long after = clock64();
  out[i] = after >= before && (unsigned)clock() - short_before < 0x7fffffffu;
}
