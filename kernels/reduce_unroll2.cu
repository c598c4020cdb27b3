/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, two elements per thread"
summary = "Each thread first adds two elements as it loads them: half as many blocks are needed, and the first round takes no barrier."
reference = "block_sums"
elements_per_block = "2 * BLOCK"
operations = "n - ceildiv(n, 2 * BLOCK)"
sizes = { n = 1048576 }
rules = [
  { expr = "n < 2^31 - 2048", say = "{n} elements; int indices allow fewer than {2^31 - 2048}" },
]

[tunable.BLOCK]
default = 256
values = [64, 128, 256, 512, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, 2 * BLOCK)"]

[[shared]]
name = "sums"
rows = "1"
columns = "BLOCK"

[[operand]]
name = "in"
rows = 1
columns = "n"

[[operand]]
name = "out"
rows = 1
columns = "ceildiv(n, 2 * BLOCK)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// One sum for every 2 * BLOCK elements.
__global__ void reduce_unroll2(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int first = blockIdx.x * (2 * BLOCK) + tid;  // The first of two elements, BLOCK apart.

  // The loads do not wait for one another, so more of them are in flight at once.
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 2; ++j) {
    int i = first + j * BLOCK;
    if (i < n) {
      sum += in[i];
    }
  }
  sums[tid] = sum;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      sums[tid] += sums[tid + stride];
    }
    __syncthreads();
  }

  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
