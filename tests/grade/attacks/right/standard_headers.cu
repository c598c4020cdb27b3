// SPDX-License-Identifier: Apache-2.0
// Types, constants and functions of the standard library that device code has.
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
constexpr std::size_t kCount = 2 * BLOCK;

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float partial[kCount];
  std::int32_t first = static_cast<std::int32_t>(kCount) * blockIdx.x;
  for (std::uint32_t k = threadIdx.x; k < kCount; k += BLOCK)
    partial[k] = first + k < n && first < INT_MAX ? in[first + k] : 0;
  __syncthreads();
  for (int stride = BLOCK; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      partial[threadIdx.x] = std::fmaf(partial[threadIdx.x + stride], 1, partial[threadIdx.x]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = std::fabs(partial[0]) < FLT_MAX ? partial[0] : 0;
}
