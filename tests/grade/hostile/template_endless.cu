template <class T> struct N { using type = typename N<N<T>>::type; };
__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  P[0] = sizeof(N<int>::type);
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
