/*---
# SPDX-License-Identifier: Apache-2.0
title = "A filter whose coefficients are an array in a structure"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "out"
extent = "n"
direction = "out"

[[operand]]
name = "filter"
kind = "scalar"
fields = [
  { type = "i32", value = 2 },
  { type = "f32", value = 1 },
  { type = "f32", value = 4 },
  { type = "f32", value = 6 },
  { type = "f32", value = 4 },
  { type = "f32", value = 1 },
]

[[operand]]
name = "n"
kind = "scalar"
---*/

struct Filter {
  int radius;
  float weights[5];
};

// The loop's length is a member too, so the array is indexed at run time.
__global__ void struct_array(const float* in, float* out, Filter filter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f, all = 0.0f;
  for (int j = -filter.radius; j <= filter.radius; ++j) {
    if (i + j < 0 || i + j >= n) continue;
    sum += filter.weights[j + filter.radius] * in[i + j];
    all += filter.weights[j + filter.radius];
  }
  out[i] = sum / all;
}
