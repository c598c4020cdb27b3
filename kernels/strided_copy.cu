/*---
# SPDX-License-Identifier: Apache-2.0
title = "Copy with offset and stride"
summary = "Each thread copies one element. OFFSET shifts a warp's elements off a sector boundary, and STRIDE spreads them out: the same 32 elements are then in more sectors."
operations = "0"
sizes = { n = 1048576 }
rules = [
  { expr = "(n - 1) * STRIDE + OFFSET + 1 < 2^31 - 1024", say = "the input has {(n - 1) * STRIDE + OFFSET + 1} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.OFFSET]
default = 0
range = [0, 31]
title = "first element that is read"

[tunable.STRIDE]
default = 1
range = [1, 32]
title = "distance between neighbours' elements"

[tunable.BLOCK]
default = 256
range = [32, 1024]
step = 32
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[operand]]
name = "A"
rows = 1
columns = "(n - 1) * STRIDE + OFFSET + 1"
fill = "index"

[[operand]]
name = "B"
rows = 1
columns = "n"
direction = "out"
expect = "i * STRIDE + OFFSET"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "offset"
kind = "scalar"
value = "OFFSET"

[[operand]]
name = "stride"
kind = "scalar"
value = "STRIDE"
---*/

// B[i] = A[i * stride + offset], for i from 0 to n - 1. All stores are aligned and
// adjacent, whatever the loads are.
__global__ void strided_copy(const float* A, float* B, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) {
    B[i] = A[i * stride + offset];
  }
}
