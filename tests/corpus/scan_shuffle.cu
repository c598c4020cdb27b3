/*---
# SPDX-License-Identifier: Apache-2.0
title = "Inclusive scan of a block by shuffles"
sizes = { n = 1000 }
launch = { block = [256], grid = ["ceildiv(n, 256)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__device__ int warp_scan(int value) {
  int lane = threadIdx.x % 32;
  for (int offset = 1; offset < 32; offset *= 2) {
    int left = __shfl_up_sync(0xffffffff, value, offset);
    if (lane >= offset) value += left;
  }
  return value;
}

// Warps scan their 32 elements, the first warp scans the warps' sums.
__global__ void scan_shuffle(const int* in, int* out, int n) {
  __shared__ int warps[8];
  int i = blockIdx.x * 256 + threadIdx.x, warp = threadIdx.x / 32;
  int value = warp_scan(i < n ? in[i] : 0);
  if (threadIdx.x % 32 == 31) warps[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int sum = warp_scan(threadIdx.x < 8 ? warps[threadIdx.x] : 0);
    if (threadIdx.x < 8) warps[threadIdx.x] = sum;
  }
  __syncthreads();
  if (warp > 0) value += warps[warp - 1];
  if (i < n) out[i] = value;
}
