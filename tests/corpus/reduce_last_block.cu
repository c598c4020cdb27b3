/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum in one launch: the last block finishes"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "partial", type = "i32", extent = "ceildiv(n, 64)", direction = "inout", fill = "zero" },
  { name = "total", type = "i32", extent = "1", direction = "out" },
  { name = "tickets", type = "u32", extent = "1", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

// Each block stores its sum, then takes a ticket. The fence makes the sum visible before the
// ticket. The block with the last ticket adds all sums.
__global__ void reduce_last_block(const int* in, volatile int* partial, int* total,
                                  unsigned* tickets, int n) {
  __shared__ int sums[64];
  __shared__ bool last;
  int tid = threadIdx.x, i = blockIdx.x * 64 + tid;
  sums[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) sums[tid] += sums[tid + stride];
    __syncthreads();
  }
  if (tid == 0) {
    partial[blockIdx.x] = sums[0];
    __threadfence();
    last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (int b = tid; b < gridDim.x; b += 64) sum += partial[b];
  sums[tid] = sum;
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid < stride) sums[tid] += sums[tid + stride];
    __syncthreads();
  }
  if (tid == 0) *total = sums[0];
}
