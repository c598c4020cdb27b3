/*---
# SPDX-License-Identifier: Apache-2.0
title = "Printing from a kernel"
sizes = { n = 5 }
launch = { block = [32], grid = ["ceildiv(n, 32)"] }
operand = [
  { name = "in", extent = "n" },
  { name = "out", type = "i32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

#include <cstdio>

__global__ void prints(const float* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = printf("thread %d has %6.3f, %s %c %u %lld %%\n", i, in[i], i % 2 ? "odd" : "even",
                  'a' + i % 26, 7u * i, 1ll << (i % 60));
}
