/*---
# SPDX-License-Identifier: Apache-2.0
title = "Largest element and where it is"
sizes = { n = 1000 }

[launch]
block = [128]
grid = [1]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "where"
type = "i32"
extent = "1"
direction = "out"

[[operand]]
name = "value"
extent = "1"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Value and place travel together; of equal values the first wins.
__device__ void keep_larger(float& value, int& place, float other, int where) {
  if (other > value || (other == value && where < place)) {
    value = other;
    place = where;
  }
}

__global__ void reduce_argmax(const float* in, int* where, float* value, int n) {
  __shared__ float values[4];
  __shared__ int places[4];
  float best = -2.0f;
  int place = n;
  for (int i = threadIdx.x; i < n; i += 128) keep_larger(best, place, in[i], i);
  for (int offset = 16; offset > 0; offset /= 2) {
    float other = __shfl_down_sync(0xffffffff, best, offset);
    int there = __shfl_down_sync(0xffffffff, place, offset);
    keep_larger(best, place, other, there);
  }
  if (threadIdx.x % 32 == 0) {
    values[threadIdx.x / 32] = best;
    places[threadIdx.x / 32] = place;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 4; ++w) keep_larger(best, place, values[w], places[w]);
    *where = place;
    *value = best;
  }
}
