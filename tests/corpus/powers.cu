/*---
# SPDX-License-Identifier: Apache-2.0
title = "Powers, roots and hyperbolas"
sizes = { n = 200 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", extent = "n" },
  { name = "out", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void powers(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = fabsf(in[i]) + 0.01f;
  out[i] = powf(x, 2.3f) + sqrtf(x) + rsqrtf(x) + cbrtf(x) + hypotf(x, 0.5f) + sinhf(x) + coshf(x) +
           erff(x) + tgammaf(x + 1.0f);
}
