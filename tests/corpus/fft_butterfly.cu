/*---
# SPDX-License-Identifier: Apache-2.0
title = "One stage of a fast Fourier transform"
sizes = { n = 64 }

[launch]
block = [32]
grid = ["ceildiv(n, 32)"]

[[operand]]
name = "data"
extent = "4 * n"
direction = "inout"

[[operand]]
name = "turn"
extent = "2 * n"

[[operand]]
name = "n"
kind = "scalar"
---*/

// n butterflies of distance n; the factors are data, so that no sine is needed.
__global__ void fft_butterfly(float2* data, const float2* turn, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 a = data[i], b = data[i + n], w = turn[i];
  float2 t = make_float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
  data[i] = make_float2(a.x + t.x, a.y + t.y);
  data[i + n] = make_float2(a.x - t.x, a.y - t.y);
}
