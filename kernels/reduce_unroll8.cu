/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, eight elements per thread"
summary = "Each thread first adds eight elements, whose loads are all in flight at once: this is what saturates the memory's bandwidth."
reference = "block_sums"
elements_per_block = "8 * BLOCK"
operations = "n - ceildiv(n, 8 * BLOCK)"
sizes = { n = 1048576 }
rules = [
  { expr = "n < 2^31 - 8192", say = "{n} elements; int indices allow fewer than {2^31 - 8192}" },
]

[tunable.BLOCK]
default = 256
values = [64, 128, 256, 512, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, 8 * BLOCK)"]

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
columns = "ceildiv(n, 8 * BLOCK)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// One sum for every 8 * BLOCK elements.
__global__ void reduce_unroll8(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int first = blockIdx.x * (8 * BLOCK) + tid;  // The first of eight elements, BLOCK apart.

  // The loads do not wait for one another, so more of them are in flight at once.
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
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
