/*---
# SPDX-License-Identifier: Apache-2.0
title = "An assertion that holds"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "out"
type = "i32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

#include <cassert>

__global__ void asserts(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(in[i] >= 0 && in[i] < 256);
  out[i] = in[i] + 1;
}
