/*---
# SPDX-License-Identifier: Apache-2.0
title = "Infinities, numbers that are none, tiny numbers"
sizes = { n = 64 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "out"
extent = "4 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void special_values(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float tiny = __int_as_float(1 + i * 131071);
  float huge = 3.0e38f, zero = (float)(i / 64);
  out[4 * i] = tiny * 0.5f + tiny;
  out[4 * i + 1] = i % 2 ? huge * 2.0f : -huge - huge;
  out[4 * i + 2] = isnan(zero / zero) ? 1.0f : 2.0f;
  out[4 * i + 3] = fminf(zero / zero, 4.0f) + fmaxf(1.0f / (zero + 1.0f), -1.0f / 3.0f) + 1.0f / tiny;
}
