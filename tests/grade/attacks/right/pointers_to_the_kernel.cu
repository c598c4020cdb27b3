// SPDX-License-Identifier: Apache-2.0
// Pointers to the kernel, and a table of them.
#include <cstdio>

__global__ void block_sums(const float* in, float* out, int n);
typedef void (*Kernel)(const float*, float*, int);
void (*chosen)(const float*, float*, int) = block_sums;
static const struct {
  const char* name;
  Kernel run;
} table[] = {{"sums", block_sums}};

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

int main() { printf("%s %p\n", table[0].name, (void*)chosen); }
