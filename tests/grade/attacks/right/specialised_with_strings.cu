// SPDX-License-Identifier: Apache-2.0
// Right, and a whole program: its host code is compiled, too.
#include <string>

template <typename T>
struct Step {
  static const int value = 2;
};
template <>
struct Step<float> {
  static const int value = 1;
  static std::string name() { return "float"; }
};

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float partial[BLOCK];
  int i = 2 * BLOCK * blockIdx.x + threadIdx.x;
  partial[threadIdx.x] = (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0);
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      partial[threadIdx.x] = partial[threadIdx.x] + Step<float>::value * partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
int main() {}
