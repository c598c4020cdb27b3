/*---
# SPDX-License-Identifier: Apache-2.0
title = "Structures as parameters: pointers and numbers, and a float4"
sizes = { n = 1000 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "line"
kind = "scalar"
fields = [
  { pointer = "x" },
  { pointer = "y" },
  { type = "f64", value = 3 },
  { type = "i8", value = "-2" },
  { type = "i32", value = "n" },
]

[[operand]]
name = "x"
extent = "n"

[[operand]]
name = "y"
extent = "n"
direction = "inout"

[[operand]]
name = "weights"
kind = "scalar"
align = 16
fields = [
  { type = "f32", value = 1 },
  { type = "f32", value = 2 },
  { type = "f32", value = -3 },
  { type = "f32", value = "n" },
]
---*/

struct Line {
  const float* x;
  float* y;
  double a;
  signed char b;
  int n;
};

// y = a x + b + a polynomial of x whose coefficients come in one vector.
__global__ void struct_parameters(Line line, float4 weights) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= line.n) return;
  float x = line.x[i];
  float sum = weights.x + x * (weights.y + x * (weights.z + x * weights.w));
  line.y[i] += (float)(line.a * x) + line.b + sum;
}
