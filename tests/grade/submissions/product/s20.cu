template <int Count>
__device__ __forceinline__ float dot(const float (&u)[Count + 1], const float (&v)[Count + 1]) {
  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < Count; ++i) s = u[i] * v[i] + s;
  return s;
}

__device__ inline float at(const float* matrix, int rows, int cols, int r, int c) {
  return r < rows && c < cols ? matrix[r * cols + c] : 0.0f;
}

__global__ void turned(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float left[TILE_WIDTH][TILE_WIDTH + 1];
  __shared__ float right[TILE_WIDTH][TILE_WIDTH + 1];   // right[column][row]
  const int x = threadIdx.x, y = threadIdx.y;
  const int r = blockIdx.y * TILE_WIDTH + y, c = blockIdx.x * TILE_WIDTH + x;
  float sum = 0.0f;
  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;
  for (int ph = 0; ph != phases; ++ph) {
    left[y][x] = at(M, m, k, r, ph * TILE_WIDTH + x);
    right[x][y] = at(N, k, n, ph * TILE_WIDTH + y, c);
    __syncthreads();
    sum += dot<TILE_WIDTH>(left[y], right[x]);
    __syncthreads();
  }
  if (r < m && c < n) P[r * n + c] = sum;
}
