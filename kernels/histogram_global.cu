/*---
# SPDX-License-Identifier: Apache-2.0
title = "Histogram in global memory"
summary = "Each thread reads one element and adds 1 to its bin in global memory with an atomic operation. All blocks add to the same few bins, so many of these operations wait for one another."
operations = "0"
sizes = { n = 1048576 }
rules = [
  { expr = "n < 2^31 - 1024", say = "{n} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.BINS]
default = 256
values = [2, 4, 8, 16, 32, 64, 128, 256]
title = "bins"

[tunable.BLOCK]
default = 256
range = [8, 1024]
step = 8
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[operand]]
name = "x"
type = "i32"
rows = 1
columns = "n"

[[operand]]
name = "bins"
type = "i32"
rows = 1
columns = "BINS"
fill = "zero"
direction = "inout"
expect = "x.count(BINS, i)"

[[operand]]
name = "n"
kind = "scalar"
---*/

// bins[b] += the number of elements of x that leave the remainder b when divided by BINS. No
// element is negative.
__global__ void histogram_global(const int* x, int* bins, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;

  if (i < n) {
    // Other threads add to the same bin, so reading, adding and writing must be one operation.
    atomicAdd(&bins[x[i] % BINS], 1);
  }
}
