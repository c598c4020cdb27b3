/*---
# SPDX-License-Identifier: Apache-2.0
title = "Edit distance of two words, diagonal by diagonal"
sizes = { n = 40 }
rules = [
  { expr = "n <= 63", say = "a block of 64 threads compares words of at most 63 letters" },
]

[launch]
block = [64]
grid = [1]

[[operand]]
name = "a"
type = "u8"
extent = "n"

[[operand]]
name = "b"
type = "u8"
extent = "n"

[[operand]]
name = "distance"
type = "i32"
extent = "1"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// A cell needs its neighbours above, left and between: all cells of a diagonal are independent.
__global__ void edit_distance(const unsigned char* a, const unsigned char* b, int* distance, int n) {
  __shared__ int line[3][65];
  int row = threadIdx.x;
  for (int diagonal = 0; diagonal <= 2 * n; ++diagonal) {
    int col = diagonal - row;
    if (row <= n && col >= 0 && col <= n) {
      int value = max(row, col);
      if (row > 0 && col > 0) {
        int differ = a[row - 1] % 4 != b[col - 1] % 4;
        value = line[(diagonal + 1) % 3][row - 1] + differ;
        value = min(value, line[(diagonal + 2) % 3][row - 1] + 1);
        value = min(value, line[(diagonal + 2) % 3][row] + 1);
      }
      line[diagonal % 3][row] = value;
    }
    __syncthreads();
  }
  if (row == n) *distance = line[2 * n % 3][n];
}
