/*---
# SPDX-License-Identifier: Apache-2.0
title = "Additions and products in four rounding modes"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "x"
extent = "n"

[[operand]]
name = "y"
extent = "n"

[[operand]]
name = "out"
extent = "4 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void rounding_modes(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i], b = y[i] * 1.0e-3f;
  out[4 * i] = __fadd_rn(a, b) + __fmul_rn(a, b) + __fmaf_rn(a, b, a);
  out[4 * i + 1] = __fadd_rz(a, b) - __fmul_rz(a, b) + __fdiv_rz(a, b + 2.0f);
  out[4 * i + 2] = __fadd_ru(a, b) + __fsqrt_ru(fabsf(a)) + __frcp_ru(b + 2.0f);
  out[4 * i + 3] = __fadd_rd(a, b) + __fsqrt_rd(fabsf(a)) - __frcp_rd(b + 2.0f);
}
