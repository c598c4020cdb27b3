/*---
# SPDX-License-Identifier: Apache-2.0
title = "Conversions between numbers"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "x"
extent = "n"

[[operand]]
name = "y"
type = "f64"
extent = "n"

[[operand]]
name = "out"
type = "i64"
extent = "6 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void conversions(const float* x, const double* y, long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i] * 1.0e5f;
  double b = y[i] * 1.0e12;
  long long* mine = out + 6 * i;
  mine[0] = (int)a;
  mine[1] = __float2int_rn(a) + __float2int_ru(a) - __float2int_rd(a);
  mine[2] = (long long)b;
  mine[3] = __double2ll_ru(b) - (long long)__double2ull_rz(fabs(b));
  mine[4] = __float_as_int((float)b) + __double2hiint(b);
  mine[5] = (long long)((double)(i * 1234567) + (float)(i - 500) + (double)mine[2]);
}
