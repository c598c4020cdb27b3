/*---
# SPDX-License-Identifier: Apache-2.0
title = "Float atomics that round in some order"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "sum"
extent = "1"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Each addition rounds, and the order is whoever comes first: runs differ in the last bits.
__global__ void atomic_float_order(const float* in, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(sum, in[i]);
}
