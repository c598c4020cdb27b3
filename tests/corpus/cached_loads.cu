/*---
# SPDX-License-Identifier: Apache-2.0
title = "Loads and stores with hints for the caches"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "more"
type = "f64"
extent = "n"

[[operand]]
name = "out"
type = "f64"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void cached_loads(const float* __restrict__ in, const double* __restrict__ more,
                             double* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = __ldg(&in[i]) + __ldcs(&more[n - 1 - i]);
  sum += __ldcg(&in[(i * 7) % n]);
  __stcs(&out[i], sum);
}
