/*---
# SPDX-License-Identifier: Apache-2.0
title = "Functions in double precision"
sizes = { n = 200 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "f64", extent = "n" },
  { name = "out", type = "f64", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

__global__ void double_maths(const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = in[i];
  out[i] = exp(x) + log(x + 2.0) + sin(5.0 * x) + cos(x) + sqrt(fabs(x)) + pow(x + 1.5, 1.7) +
           atan(x) + tanh(x) + cbrt(x) + erf(x);
}
