/*---
# SPDX-License-Identifier: Apache-2.0
title = "Histogram with a private copy a block"
sizes = { n = 1000 }
launch = { block = [128], grid = ["min(ceildiv(n, 128), 3)"] }
operand = [
  { name = "data", type = "u8", extent = "n" },
  { name = "bins", type = "u32", extent = "256", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

// Atomics in shared memory first, then one global atomic per bin and block.
__global__ void histogram_shared(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned mine[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[data[i]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) {
    if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
  }
}
