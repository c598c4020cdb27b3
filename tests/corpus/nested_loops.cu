/*---
# SPDX-License-Identifier: Apache-2.0
title = "Loops with breaks, continues and early ends"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "out"
type = "i32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void nested_loops(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0, limit = in[i] % 17;
  for (int a = 0; a < limit; ++a) {
    if (a % 4 == 3) continue;
    int b = 0;
    do {
      sum += a * b + 1;
      if ((a + b + i) % 11 == 10) break;
      if (sum > 400) goto done;
    } while (++b < a);
    while (b > 0 && sum % 3) {
      --b;
      ++sum;
    }
  }
done:
  out[i] = sum;
}
