#include <iostream>
#include <memory>
#include <cmath>
#include <stdint.h>
#include <chrono>

namespace matrix {

constexpr int kTile = 16;

class Matrix {
 public:
  Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_(new float[rows * cols]) {}
  float* data() { return data_.get(); }
  int rows() const { return rows_; }

 private:
  int rows_, cols_;
  std::unique_ptr<float[]> data_;
};

static Matrix* current = nullptr;

__device__ __forceinline__ float at(const float* m, int row, int col, int rows, int cols) {
  return row < rows && col < cols ? m[row * cols + col] : 0.0f;
}

template <int kWidth>
__global__ void multiply(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[kWidth][kWidth + 1], Bs[kWidth][kWidth];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * kWidth + ty, col = blockIdx.x * kWidth + tx;
  float sum = 0.0f;
  for (int start = 0; start < k; start += kWidth) {
    As[ty][tx] = at(A, row, start + tx, m, k);
    Bs[ty][tx] = at(B, start + ty, col, k, n);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kWidth; ++i) sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;
}

void run(Matrix& a, Matrix& b, Matrix& c, int m, int n, int k) {
  dim3 block(kTile, kTile), grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<kTile><<<grid, block>>>(a.data(), b.data(), c.data(), m, n, k);
  cudaDeviceSynchronize();
}

}  // namespace matrix

std::ostream& operator<<(std::ostream& out, const matrix::Matrix& m) { return out << m.rows(); }

int main() {
  matrix::Matrix a(64, 64), b(64, 64), c(64, 64);
  matrix::run(a, b, c, 64, 64, 64);
  std::cout << c << std::endl;
}
