/*---
# SPDX-License-Identifier: Apache-2.0
title = "Variables of the device that launches share"
sizes = { n = 300 }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]

[[launch]]
entry = "prepare"
block = [64]
grid = ["ceildiv(n, 64)"]

[[launch]]
entry = "use"
block = [64]
grid = ["ceildiv(n, 64)"]
---*/

// Device variables keep their values from one launch to the next.
__device__ int largest = -1;
__device__ int table[4] = {10, 20, 30, 40};
static __device__ unsigned long long calls;

__global__ void prepare(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMax(&largest, in[i]);
  if (i == 0) calls = 0;
}

__global__ void use(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&calls, 1ull);
  out[i] = largest - in[i] + table[i % 4];
}
