/*---
# SPDX-License-Identifier: Apache-2.0
title = "Loops that lanes of a warp leave at different times"
sizes = { n = 1489 }

[launch]
block = [96]
grid = [2]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "lengths"
type = "i32"
extent = "n + 1"

[[operand]]
name = "out"
extent = "n"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Each kernel can be run by its name with --entry. The grid is small, so that threads loop, and
// n is odd, so that lanes of one warp loop different numbers of times.

__device__ int first_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int stride() { return gridDim.x * blockDim.x; }

__global__ void strided_sum(const float* in, const int* lengths, float* out, int n) {
  float sum = 0.0f;
  for (int i = first_index(); i < n; i += stride()) sum += in[i];
  if (first_index() < n) out[first_index()] = sum;
}

__global__ void strided_sum_of_block(const float* in, const int* lengths, float* out, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 96) sum += in[i];
  if (first_index() < n) out[first_index()] = sum;
}

__global__ void copy_by_each_block(const float* in, const int* lengths, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += 96) out[i] = in[i];
}

__global__ void tile_by_each_block(const float* in, const int* lengths, float* out, int n) {
  __shared__ float tile[1500];
  int size = min(n, 1500);
  for (int i = threadIdx.x; i < size; i += 96) tile[i] = in[i];
  __syncthreads();
  if (first_index() < size) out[first_index()] = tile[size - 1 - first_index()];
}

__global__ void strided_sum_not_unrolled(const float* in, const int* lengths, float* out, int n) {
  float sum = 0.0f;
#pragma unroll 1
  for (int i = first_index(); i < n; i += stride()) sum += in[i];
  if (first_index() < n) out[first_index()] = sum;
}

__global__ void strided_copy(const float* in, const int* lengths, float* out, int n) {
  for (int i = first_index(); i < n; i += stride()) out[i] = in[i];
}

__global__ void strided_scale_and_add(const float* in, const int* lengths, float* out, int n) {
  for (int i = first_index(); i < n; i += stride()) out[i] = 2.0f * in[i] + out[i];
}

__global__ void strided_largest(const float* in, const int* lengths, float* out, int n) {
  float largest = -2.0f;
  int place = 0;
  for (int i = first_index(); i < n; i += stride()) {
    if (in[i] > largest) {
      largest = in[i];
      place = i;
    }
  }
  if (first_index() < n) out[first_index()] = place;
}

__global__ void strided_sum_in_shared(const float* in, const int* lengths, float* out, int n) {
  __shared__ float sums[96];
  sums[threadIdx.x] = 0.0f;
  for (int i = first_index(); i < n; i += stride()) sums[threadIdx.x] += in[i];
  __syncthreads();
  if (first_index() < n) out[first_index()] = sums[95 - threadIdx.x];
}

__global__ void strided_while(const float* in, const int* lengths, float* out, int n) {
  float sum = 0.0f;
  int i = first_index();
  while (i < n) {
    sum = sum * 0.5f + in[i];
    i += stride();
  }
  if (first_index() < n) out[first_index()] = sum;
}

__global__ void triangle(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j <= i; ++j) sum += in[j];
  out[i] = sum;
}

__global__ void triangle_of_lanes(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  int lane = threadIdx.x % 32;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < lane && i + j < n; ++j) sum += in[i + j];
  out[i] = sum;
}

__global__ void lengths_from_memory(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  int end = min(n, i + lengths[i] % 29);
  float sum = 0.0f;
  for (int j = i; j < end; ++j) sum += in[j];
  out[i] = sum;
}

__global__ void rows_of_a_sparse_matrix(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  int start = 5 * i % n, end = min(n, start + lengths[i] % 8);
  float sum = 0.0f;
  for (int j = start; j < end; ++j) sum += in[j] * in[lengths[j] % n];
  out[i] = sum;
}

__global__ void stores_of_different_lengths(const float* in, const int* lengths, float* out,
                                            int n) {
  int start = 7 * first_index(), end = min(n, start + first_index() % 24);
  for (int j = start; j < end; ++j) out[j] = 1.0f;
}

__global__ void counts_down(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = i; j >= 0; j -= 3) sum += in[j];
  out[i] = sum;
}

__global__ void steps_of_different_widths(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = i; j < n; j += 20 + threadIdx.x % 32) sum += in[j];
  out[i] = sum;
}

__global__ void loop_in_a_loop(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  float sum = 0.0f;
  for (int a = 0; a < i % 7; ++a) {
    for (int b = 0; b < a; ++b) sum += in[(i + 11 * a + b) % n];
  }
  out[i] = sum;
}

__global__ void search(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  int j = i;
  while (j < n && in[j] < 0.5f) ++j;
  out[i] = j - i;
}

__global__ void chain(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  int at = i;
  for (int steps = 0; steps < i % 10; ++steps) at = lengths[at] % n;
  out[i] = at;
}

__global__ void chain_to_a_sign(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  int at = i, steps = 0;
  while (in[at] > -0.5f && steps < 40) {
    at = (at + 17) % n;
    ++steps;
  }
  out[i] = steps;
}

__global__ void leaves_by_break(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = i; j < n; ++j) {
    sum += in[j];
    if (sum > 2.0f) break;
  }
  out[i] = sum;
}

__global__ void skips_by_continue(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < 24; ++j) {
    if ((i + j) % 3 == 0) continue;
    sum += in[(i + j) % n];
  }
  out[i] = sum;
}

__global__ void binary_search(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  int low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (in[middle] * n < i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  out[i] = low;
}

__global__ void lengths_of_warps(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < 3 + 5 * (threadIdx.x / 32); ++j) sum += in[(i + j) % n];
  out[i] = sum;
}

__global__ void one_length_for_some_lanes(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i < n && i % 3 != 0) {
    float sum = 0.0f;
    for (int j = 0; j < n; ++j) sum += in[j];
    out[i] = sum;
  }
}

__global__ void phases_with_guards(const float* in, const int* lengths, float* out, int n) {
  __shared__ float tile[96];
  float sum = 0.0f;
  for (int phase = 0; phase * 96 < n; ++phase) {
    int j = phase * 96 + threadIdx.x;
    tile[threadIdx.x] = j < n ? in[j] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 96; ++k) sum += tile[k];
    __syncthreads();
  }
  if (first_index() < n) out[first_index()] = sum;
}

__global__ void two_sums_in_one_loop(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  float near = 0.0f, far = 0.0f;
  for (int j = 0; j < i % 23 && i + j < n; ++j) {
    near += in[i + j];
    far += in[n - 1 - i - j];
  }
  out[i] = near - far;
}

__global__ void average_of_neighbours(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  int first = max(0, i - threadIdx.x % 19), last = min(n - 1, i + (int)(threadIdx.x % 19));
  float sum = 0.0f;
  for (int j = first; j <= last; ++j) sum += in[j];
  out[i] = sum / (last - first + 1);
}

__global__ void polynomial(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  float x = in[i], value = 0.0f;
  for (int degree = i % 31; degree >= 0; --degree) value = value * x + in[degree % n];
  out[i] = value;
}

__global__ void counts_of_a_value(const float* in, const int* lengths, float* out, int n) {
  int i = first_index();
  if (i >= n) return;
  int count = 0;
  for (int j = i; j < min(n, i + 40); ++j) {
    if (lengths[j] == lengths[i]) ++count;
  }
  out[i] = count;
}
