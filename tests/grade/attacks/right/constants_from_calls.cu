// SPDX-License-Identifier: Apache-2.0
// Constants and types of the host whose values come from calls, and values computed from them.
#include <cstdio>
#include <cstdlib>
#include <ctime>

int ceilDiv(int a, int b) { return (a + b - 1) / b; }
const int kCount = atoi("1000"), kOther = 3;
const int kGrid = ceilDiv(kCount, 2 * BLOCK);
const unsigned kSeed = time(NULL);
float* const kBuffer = (float*)malloc(16);
int sizes[] = {1000, 4096};
const int kSizes = sizeof(sizes) / sizeof(sizes[0]);
static_assert(sizeof(sizes) == 2 * sizeof(int), "two sizes");
struct Options {
  int n = atoi("1000");
  unsigned seed = time(NULL);
};
using Settings = Options;

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

int main() {
  Settings settings;
  printf("%d %d %d\n", settings.n, kGrid, kSizes);
}
