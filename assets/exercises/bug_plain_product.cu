/*---
# SPDX-License-Identifier: Apache-2.0
title = "A product, element by element"
entry = "plain_product"
reference = "matmul"
operations = "2 * m * n * k"
sizes = { m = 64, n = 64, k = 64 }

[exercise]
number = 2
symptom = "Every element of P is wrong, at every size. Nothing else is found."
hints = [
  "Choose an element of P below. Are the elements that its thread read the right ones?",
  "The right elements were read. So the mistake is in what is done with them.",
  "What does an inner product do with each pair, before it adds the pairs up?",
]
fails = ["result"]
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
__global__ void plain_product(const float* M, const float* N, float* P, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float Pvalue = 0.0f;
    for (int i = 0; i < k; ++i) {
      Pvalue += M[row * k + i] + N[i * n + col];
    }
    P[row * n + col] = Pvalue;
  }
}
