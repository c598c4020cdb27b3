/*---
# SPDX-License-Identifier: Apache-2.0
title = "Seven points in space"
sizes = { m = 12, n = 11, k = 10 }

[launch]
block = [8, 4, 4]
grid = ["ceildiv(k, 8)", "ceildiv(n, 4)", "ceildiv(m, 4)"]

[[operand]]
name = "in"
extent = "m * n * k"

[[operand]]
name = "out"
extent = "m * n * k"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "k"
kind = "scalar"
---*/

__global__ void stencil3d(const float* in, float* out, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= k || y >= n || z >= m) return;
  int at = (z * n + y) * k + x;
  float sum = -6.0f * in[at];
  sum += x > 0 ? in[at - 1] : 0.0f;
  sum += x < k - 1 ? in[at + 1] : 0.0f;
  sum += y > 0 ? in[at - k] : 0.0f;
  sum += y < n - 1 ? in[at + k] : 0.0f;
  sum += z > 0 ? in[at - n * k] : 0.0f;
  sum += z < m - 1 ? in[at + n * k] : 0.0f;
  out[at] = sum;
}
