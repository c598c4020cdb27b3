/*---
# SPDX-License-Identifier: Apache-2.0
title = "Inclusive scan of any length in three launches"
sizes = { n = 1000 }
operand = [
  { name = "in", type = "i32", extent = "n", fill = "index" },
  { name = "out", type = "i32", extent = "n", direction = "inout", fill = "zero", expect = "i * (i + 1) / 2" },
  { name = "sums", type = "i32", extent = "ceildiv(n, 64)", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]

[[launch]]
entry = "scan_pieces"
block = [64]
grid = ["ceildiv(n, 64)"]

[[launch]]
entry = "scan_sums"
block = [64]
grid = [1]

[[launch]]
entry = "scan_add"
block = [64]
grid = ["ceildiv(n, 64)"]
---*/

__device__ int block_scan(int value) {
  __shared__ int scan[64];
  int tid = threadIdx.x;
  scan[tid] = value;
  __syncthreads();
  for (int offset = 1; offset < 64; offset *= 2) {
    int left = tid >= offset ? scan[tid - offset] : 0;
    __syncthreads();
    scan[tid] += left;
    __syncthreads();
  }
  return scan[tid];
}

// First each block scans its own piece and keeps its sum ...
__global__ void scan_pieces(const int* in, int* out, int* sums, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  int value = block_scan(i < n ? in[i] : 0);
  if (i < n) out[i] = value;
  if (threadIdx.x == 63) sums[blockIdx.x] = value;
}

// ... then one block scans the sums, piece by piece ...
__global__ void scan_sums(const int* in, int* out, int* sums, int n) {
  __shared__ int before;
  int blocks = (n + 63) / 64;
  if (threadIdx.x == 0) before = 0;
  __syncthreads();
  for (int start = 0; start < blocks; start += 64) {
    int i = start + threadIdx.x;
    int value = block_scan(i < blocks ? sums[i] : 0) + before;
    if (i < blocks) sums[i] = value;
    __syncthreads();
    if (threadIdx.x == 63) before = value;
    __syncthreads();
  }
}

// ... and each block adds the sum of all earlier blocks.
__global__ void scan_add(const int* in, int* out, int* sums, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}
