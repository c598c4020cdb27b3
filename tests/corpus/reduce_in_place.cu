/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum in place, in global memory"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "data"
type = "i32"
extent = "n"
direction = "inout"

[[operand]]
name = "out"
type = "i32"
extent = "ceildiv(n, 128)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// As books begin: the block's piece of global memory is its scratch paper. blockDim.x barriers of
// a block order global memory as well, for the threads of that block.
__global__ void reduce_in_place(int* data, int* out, int n) {
  int tid = threadIdx.x;
  int* mine = data + blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - (int)(blockIdx.x * blockDim.x));
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0 && tid + stride < length) mine[tid] += mine[tid + stride];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = mine[0];
}
