// SPDX-License-Identifier: Apache-2.0
// Functions, members, constants and variables that only the host uses.
constexpr int ceilDiv(int a, int b) { return (a + b - 1) / b; }
static int launches = 0;
const char* name = "block sums";
int blocksFor(int n) { ++launches; return ceilDiv(n, 2 * BLOCK); }
struct Sizes {
  int n;
  int blocks() const { return ceilDiv(n, 2 * BLOCK); }
};
__device__ float add(float a, float b) { return a + b; }

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float partial[BLOCK];
  int i = 2 * BLOCK * blockIdx.x + threadIdx.x;
  partial[threadIdx.x] = (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0);
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      partial[threadIdx.x] = add(partial[threadIdx.x], partial[threadIdx.x + stride]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
