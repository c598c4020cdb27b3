/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum by one atomic a block"
sizes = { n = 1000 }

[launch]
block = [256]
grid = ["min(ceildiv(n, 256), 4)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "total"
type = "u64"
extent = "1"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

// A grid-stride loop, a shared sum a block, and one 64-bit atomic a block at the end.
__global__ void reduce_block_atomic(const int* in, unsigned long long* total, int n) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  unsigned long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine += in[i];
  }
  atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, sum);
}
