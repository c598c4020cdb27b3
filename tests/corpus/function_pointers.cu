/*---
# SPDX-License-Identifier: Apache-2.0
title = "Functions chosen by a table"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", extent = "n" },
  { name = "out", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__device__ __noinline__ float half_of(float x) { return 0.5f * x; }
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float negated(float x) { return -x; }

typedef float (*Function)(float);
__device__ Function functions[3] = {half_of, square, negated};

__global__ void function_pointers(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = functions[i % 3](in[i]) + functions[(i / 32) % 3](1.5f);
}
