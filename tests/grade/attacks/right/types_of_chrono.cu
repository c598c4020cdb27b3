// SPDX-License-Identifier: Apache-2.0
// Host types that use std::chrono.
#include <chrono>

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
struct Timer {
  TimePoint start;
};

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float partial[BLOCK];
  int i = 2 * BLOCK * blockIdx.x + threadIdx.x;
  partial[threadIdx.x] = (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0);
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      partial[threadIdx.x] = partial[threadIdx.x] + partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
int main() { Timer timer; }
