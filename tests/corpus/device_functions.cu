/*---
# SPDX-License-Identifier: Apache-2.0
title = "Functions that are called, with results by reference"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", extent = "n" },
  { name = "out", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

struct Fraction {
  int top, bottom;
};

__device__ __noinline__ Fraction sum(Fraction a, Fraction b) {
  Fraction result = {a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom};
  return result;
}

__device__ __noinline__ void split(float x, int& whole, float* rest) {
  whole = (int)floorf(x);
  *rest = x - whole;
}

__global__ void device_functions(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int whole;
  float rest;
  split(in[i] * 10.0f, whole, &rest);
  Fraction a = {whole, 3}, b = {i % 7 + 1, 4};
  Fraction c = sum(a, b);
  out[i] = rest + (float)c.top / c.bottom;
}
