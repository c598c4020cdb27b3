/*---
# SPDX-License-Identifier: Apache-2.0
title = "Three arrays of three types in one dynamic array"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"], dynamic_shared_bytes = "64 * 8 + 64 * 4 + 64" }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "f64", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

extern __shared__ double memory[];

// Widest type first, so that each slice is aligned; lengths count elements, not bytes.
__global__ void dynamic_arrays(const int* in, double* out, int n) {
  double* wide = memory;
  int* words = (int*)(wide + 64);
  unsigned char* bytes = (unsigned char*)(words + 64);
  int tid = threadIdx.x, i = blockIdx.x * 64 + tid;
  int value = i < n ? in[i] : 0;
  wide[tid] = 0.5 * value;
  words[63 - tid] = value * value;
  bytes[(tid + 1) % 64] = value + 3;
  __syncthreads();
  if (i < n) out[i] = wide[63 - tid] + words[tid] + bytes[tid];
}
