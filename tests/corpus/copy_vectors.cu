/*---
# SPDX-License-Identifier: Apache-2.0
title = "Copies of 2, 4, 8 and 16 bytes a lane"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
extent = "4 * n"

[[operand]]
name = "a"
extent = "4 * n"
direction = "out"

[[operand]]
name = "b"
extent = "4 * n"
direction = "out"

[[operand]]
name = "c"
type = "i8"
extent = "4 * n"
direction = "out"

[[operand]]
name = "d"
type = "f64"
extent = "2 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void copy_vectors(const float4* in, float4* a, float2* b, char4* c, double2* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = in[i];
  a[i] = make_float4(v.w, v.z, v.y, v.x);
  b[2 * i] = make_float2(v.x, v.z);
  b[2 * i + 1] = make_float2(v.y, v.w);
  c[i] = make_char4((signed char)(100 * v.x), (signed char)(100 * v.y), (signed char)(100 * v.z), 7);
  d[i] = make_double2(v.x, v.w);
}
