/*---
# SPDX-License-Identifier: Apache-2.0
title = "Merge of two sorted pieces"
sizes = { n = 100 }
launch = { block = [64], grid = ["ceildiv(2 * n, 64)"] }
operand = [
  { name = "a", type = "i32", extent = "n", fill = "index" },
  { name = "b", type = "i32", extent = "n", fill = "index" },
  { name = "out", type = "i32", extent = "2 * n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

// Each output element finds by bisection how many of it come from a (a[i] = 3 i, b[i] = 2 i + 1).
__global__ void merge_path(const int* a, const int* b, int* out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= 2 * n) return;
  int low = max(0, at - n), high = min(at, n);
  while (low < high) {
    int middle = (low + high) / 2;
    if (3 * a[middle] <= 2 * b[at - middle - 1] + 1) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int right = at - low;
  bool from_a = right >= n || (low < n && 3 * a[low] <= 2 * b[right] + 1);
  out[at] = from_a ? 3 * a[low] : 2 * b[right] + 1;
}
