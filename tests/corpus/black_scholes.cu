/*---
# SPDX-License-Identifier: Apache-2.0
title = "Prices of options"
sizes = { n = 200 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "u"
extent = "n"

[[operand]]
name = "v"
extent = "n"

[[operand]]
name = "call"
extent = "n"
direction = "out"

[[operand]]
name = "put"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__device__ float normal(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

__global__ void black_scholes(const float* u, const float* v, float* call, float* put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float rate = 0.02f, volatility = 0.3f;
  float price = 20.0f + 10.0f * u[i], strike = 20.0f + 15.0f * v[i], years = 1.0f + 0.5f * v[i];
  float root = volatility * sqrtf(years);
  float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) / root;
  float d2 = d1 - root, today = strike * expf(-rate * years);
  call[i] = price * normal(d1) - today * normal(d2);
  put[i] = today * normal(-d2) - price * normal(-d1);
}
