/*---
# SPDX-License-Identifier: Apache-2.0
title = "Exponentials and logarithms"
sizes = { n = 200 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "out"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void exponentials(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  out[i] = expf(3.0f * x) + logf(2.0f + x) + exp2f(x) + log10f(x + 1.5f) + log1pf(0.5f * x) +
           expm1f(x) + __expf(x) + __logf(x + 2.0f);
}
