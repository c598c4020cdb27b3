/*---
# SPDX-License-Identifier: Apache-2.0
title = "Keep what is larger than a limit, in order"
sizes = { n = 300 }
launch = { block = [256], grid = [1] }
operand = [
  { name = "in", extent = "n" },
  { name = "out", extent = "n", direction = "inout", fill = "zero" },
  { name = "kept", type = "i32", extent = "1", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void compact_scan(const float* in, float* out, int* kept, int n) {
  __shared__ int places[256];
  int tid = threadIdx.x, base = 0;
  for (int start = 0; start < n; start += 256) {
    int i = start + tid;
    bool keep = i < n && in[i] > 0.25f;
    places[tid] = keep;
    __syncthreads();
    for (int offset = 1; offset < 256; offset *= 2) {
      int left = tid >= offset ? places[tid - offset] : 0;
      __syncthreads();
      places[tid] += left;
      __syncthreads();
    }
    if (keep) out[base + places[tid] - 1] = in[i];
    base += places[255];
    __syncthreads();
  }
  if (tid == 0) *kept = base;
}
