// SPDX-License-Identifier: Apache-2.0
// A class of the host with a constructor that is defined outside of it.
#include <vector>

struct Matrix {
  int rows, columns;
  std::vector<float> data;
  Matrix(int r, int c);
};
Matrix::Matrix(int r, int c) : rows{r}, columns{c}, data(r * c) { data[0] = 1; }
struct Counter {
  int runs;
  Counter(int first);
};
Counter::Counter(int first) : runs{first} { ++runs; }

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
  Matrix m(2, 2);
  Counter c(1);
  return m.rows - c.runs;
}
