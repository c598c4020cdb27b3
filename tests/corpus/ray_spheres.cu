/*---
# SPDX-License-Identifier: Apache-2.0
title = "Rays and spheres"
sizes = { m = 20, n = 30 }

[launch]
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[operand]]
name = "spheres"
extent = "4 * 6"

[[operand]]
name = "out"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

struct Sphere {
  float x, y, z, radius;
  __device__ float hit(float rx, float ry) const {
    float dx = rx - x, dy = ry - y, rest = radius * radius - dx * dx - dy * dy;
    return rest > 0.0f ? z + sqrtf(rest) : -10.0f;
  }
};

__global__ void ray_spheres(const Sphere* spheres, float* out, int m, int n) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || col >= n) return;
  float nearest = -10.0f;
  for (int s = 0; s < 6; ++s) nearest = fmaxf(nearest, spheres[s].hit(2.0f * col / n - 1.0f, 2.0f * row / m - 1.0f));
  out[row * n + col] = nearest;
}
