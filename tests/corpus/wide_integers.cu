/*---
# SPDX-License-Identifier: Apache-2.0
title = "64-bit sums, products, quotients and shifts"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "i64"
extent = "n"

[[operand]]
name = "out"
type = "i64"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void wide_integers(const long long* in, long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long a = in[i] * 0x123456789abcdLL - 77, b = (a ^ (a >> 7)) + i + 1;
  unsigned long long u = (unsigned long long)a;
  long long q = b != 0 ? a / b : 0, r = b != 0 ? a % b : 0;
  out[i] = q + 3 * r + (long long)(u / (i + 3u)) + (long long)(u % 1000003u) +
           __mul64hi(a, b) + (a << (i % 64)) + (b >> (i % 63)) + (long long)(u >> (i % 61));
}
