/*---
# SPDX-License-Identifier: Apache-2.0
title = "Exclusive scan, Blelloch"
sizes = { n = 100 }
rules = [
  { expr = "n <= 256", say = "one block scans at most 256 elements" },
]
launch = { block = [128], grid = [1] }
operand = [
  { name = "in", type = "i32", extent = "n", fill = "index" },
  { name = "out", type = "i32", extent = "n", direction = "out", expect = "i * (i - 1) / 2" },
  { name = "n", kind = "scalar" },
]
---*/

// Sums are computed up the tree and distributed down the tree: two steps per element.
__global__ void scan_blelloch(const int* in, int* out, int n) {
  __shared__ int tree[256];
  int tid = threadIdx.x;
  tree[2 * tid] = 2 * tid < n ? in[2 * tid] : 0;
  tree[2 * tid + 1] = 2 * tid + 1 < n ? in[2 * tid + 1] : 0;
  int offset = 1;
  for (int active = 128; active > 0; active /= 2) {
    __syncthreads();
    if (tid < active) {
      tree[offset * (2 * tid + 2) - 1] += tree[offset * (2 * tid + 1) - 1];
    }
    offset *= 2;
  }
  if (tid == 0) tree[255] = 0;
  for (int active = 1; active < 256; active *= 2) {
    offset /= 2;
    __syncthreads();
    if (tid < active) {
      int low = offset * (2 * tid + 1) - 1, high = offset * (2 * tid + 2) - 1;
      int left = tree[low];
      tree[low] = tree[high];
      tree[high] += left;
    }
  }
  __syncthreads();
  if (2 * tid < n) out[2 * tid] = tree[2 * tid];
  if (2 * tid + 1 < n) out[2 * tid + 1] = tree[2 * tid + 1];
}
