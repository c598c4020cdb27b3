/*---
# SPDX-License-Identifier: Apache-2.0
title = "Bitonic sort in shared memory"
sizes = { n = 100 }
rules = [
  { expr = "n <= 256", say = "one block sorts at most 256 keys" },
]
launch = { block = [128], grid = [1] }
operand = [
  { name = "keys", type = "i32", extent = "n", direction = "inout" },
  { name = "n", kind = "scalar" },
]
---*/

// A sorting network: the keys do not affect which pairs are compared. Missing keys are the largest.
__global__ void bitonic_sort(int* keys, int n) {
  __shared__ int sorted[256];
  for (int i = threadIdx.x; i < 256; i += 128) sorted[i] = i < n ? keys[i] : 0x7fffffff;
  for (int size = 2; size <= 256; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), high = low + stride;
      bool up = (low & size) == 0;
      if ((sorted[low] > sorted[high]) == up) {
        int key = sorted[low];
        sorted[low] = sorted[high];
        sorted[high] = key;
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 128) keys[i] = sorted[i];
}
