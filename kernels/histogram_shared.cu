/*---
# SPDX-License-Identifier: Apache-2.0
title = "Histogram, a copy in each block"
summary = "Each block counts in a copy of the bins in its own shared memory and adds the copy to the bins in global memory once, when it has counted all its elements."
operations = "0"
sizes = { n = 1048576 }
rules = [
  { expr = "n + 8 * MULTIPROCESSORS * BLOCK < 2^31", say = "{n} elements; int indices allow fewer than {2^31 - 8 * MULTIPROCESSORS * BLOCK}" },
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
grid = ["min(ceildiv(n, BLOCK), 8 * MULTIPROCESSORS)"]

[[shared]]
name = "counts"
rows = "1"
columns = "BINS"
holds = "bins"

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
// element is negative. There may be more elements than threads: the blocks stride over x together.
__global__ void histogram_shared(const int* x, int* bins, int n) {
  __shared__ int counts[BINS];

  // Clear: shared memory is not initialised. There may be more bins than threads.
  for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
    counts[bin] = 0;
  }
  __syncthreads();

  // Count: only the threads of this block add to these counters.
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    atomicAdd(&counts[x[i] % BINS], 1);
  }
  __syncthreads();

  // Merge: one addition in global memory for each bin that occurred in the block.
  for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
    if (counts[bin] > 0) {
      atomicAdd(&bins[bin], counts[bin]);
    }
  }
}
