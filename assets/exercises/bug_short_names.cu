/*---
# SPDX-License-Identifier: Apache-2.0
title = "Short names"
entry = "short_names"
reference = "matmul"
operations = "2 * m * n * k"
sizes = { m = 64, n = 64, k = 64 }

[exercise]
number = 3
symptom = "The kernel does not compile."
hints = [
  "The compiler names a line. Which names of that line does the kernel declare?",
  "threadIdx and blockIdx are built in. Shorter names for their parts are not.",
]
fails = ["compiles"]
shown = { m = 4, n = 4, k = 4, BLOCK = 4 }
hidden = [
  { m = 16, n = 16, k = 16 },
  { m = 21, n = 33, k = 19 },
  { m = 1, n = 1, k = 1 },
  { m = 40, n = 9, k = 50, BLOCK = 8 },
]

[tunable.BLOCK]
default = 16
range = [1, 32]
title = "width of the block"

[launch]
block = ["BLOCK", "BLOCK"]
grid = ["ceildiv(n, BLOCK)", "ceildiv(m, BLOCK)"]

[[operand]]
name = "M"
rows = "m"
columns = "k"

[[operand]]
name = "N"
rows = "k"
columns = "n"

[[operand]]
name = "P"
rows = "m"
columns = "n"
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

// P = M N, where M is m x k, N is k x n and P is m x n, in row-major order.
__global__ void short_names(const float* M, const float* N, float* P, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + ty;
  int col = blockIdx.x * blockDim.x + tx;
  if (row < m && col < n) {
    float Pvalue = 0.0f;
    for (int i = 0; i < k; ++i) {
      Pvalue += M[row * k + i] * N[i * n + col];
    }
    P[row * n + col] = Pvalue;
  }
}
