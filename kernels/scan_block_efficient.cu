/*---
# SPDX-License-Identifier: Apache-2.0
title = "Prefix sums of blocks, Brent-Kung"
summary = "A reduction tree adds pairs up to the sum of the block, and a second tree hands these sums back to the elements between them: about twice as many rounds as Kogge-Stone, and at most two additions for each element."
reference = "block_scan"
elements_per_block = "SECTION"
operations = "n - ceildiv(n, SECTION)"
sizes = { n = 1048576 }
rules = [
  { expr = "n < 2^31 - 2048", say = "{n} elements; int indices allow fewer than {2^31 - 2048}" },
]

[tunable.SECTION]
default = 256
values = [8, 16, 32, 64, 128, 256, 512, 1024, 2048]
title = "elements per block, two for each thread"

[launch]
block = ["SECTION / 2"]
grid = ["ceildiv(n, SECTION)"]

[[shared]]
name = "sums"
rows = "1"
columns = "SECTION"

[[operand]]
name = "in"
rows = 1
columns = "n"

[[operand]]
name = "out"
rows = 1
columns = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

#define THREADS (SECTION / 2)

// Inclusive prefix sums of each block's SECTION elements: out[i] is the sum of in[j] for all j of
// i's section up to i. SECTION is a power of two.
__global__ void scan_block_efficient(const float* in, float* out, int n) {
  __shared__ float sums[SECTION];
  int tid = threadIdx.x;
  int first = blockIdx.x * SECTION + tid;
  int second = first + THREADS;

  // Elements past the end count as zero, which changes no sum.
  sums[tid] = first < n ? in[first] : 0.0f;
  sums[tid + THREADS] = second < n ? in[second] : 0.0f;
  __syncthreads();

  // Up: element 2 s - 1, 4 s - 1, 6 s - 1, ... becomes the sum of the 2 s elements that end at it.
  for (int stride = 1; stride < SECTION; stride *= 2) {
    int at = 2 * stride * (tid + 1) - 1;
    if (at < SECTION) {
      sums[at] += sums[at - stride];
    }
    __syncthreads();  // The next round reads what other threads wrote in this one.
  }

  // Down: each finished sum is added to the element one stride after it.
  for (int stride = SECTION / 4; stride > 0; stride /= 2) {
    int at = 2 * stride * (tid + 1) - 1;
    if (at + stride < SECTION) {
      sums[at + stride] += sums[at];
    }
    __syncthreads();
  }

  if (first < n) {
    out[first] = sums[tid];
  }
  if (second < n) {
    out[second] = sums[tid + THREADS];
  }
}
