/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum by one atomic a thread"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "total"
type = "i32"
extent = "1"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Right, short and slow: every thread waits for one address.
__global__ void reduce_atomic(const int* in, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, in[i]);
}
