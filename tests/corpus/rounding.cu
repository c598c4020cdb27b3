/*---
# SPDX-License-Identifier: Apache-2.0
title = "Rounding and remainders"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", extent = "n" },
  { name = "out", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

// All of these results are exact, so they are the same on every device.
__global__ void rounding(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i] * 100.0f;
  float whole, part = modff(x, &whole);
  out[i] = floorf(x) + 2.0f * ceilf(x) + 3.0f * truncf(x) + 5.0f * rintf(x) + 7.0f * roundf(x) +
           fmodf(x, 3.0f) + part + copysignf(whole, -x) + fdimf(x, 1.0f) + ldexpf(x, 3) +
           (float)ilogbf(fabsf(x) + 1.0f);
}
