/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sines, cosines and their inverses"
sizes = { n = 200 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", extent = "n" },
  { name = "out", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void angles(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], s, c;
  sincosf(20.0f * x, &s, &c);
  out[i] = s + 2.0f * c + tanf(x) + asinf(x) + acosf(0.5f * x) + atan2f(x, 0.7f) + tanhf(x) +
           sinpif(x) + __sinf(x) + __cosf(x);
}
