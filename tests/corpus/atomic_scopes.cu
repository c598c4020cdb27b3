/*---
# SPDX-License-Identifier: Apache-2.0
title = "Atomics for the block and for the system"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "2", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void atomic_scopes(const int* in, int* out, int n) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) atomicAdd_block(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd_system(&out[0], sum);
    atomicMax_system(&out[1], sum);
  }
}
