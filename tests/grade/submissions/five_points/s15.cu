__global__ void five_points(const int* in, int* out, int m, int n) {
  __shared__ int t[TILE + 2][TILE + 2];
  int c = blockIdx.x * TILE + threadIdx.x, r = blockIdx.y * TILE + threadIdx.y;
  if (r >= m || c >= n) return;
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  t[y][x] = in[r * n + c];
  if (y == 1) t[0][x] = r > 0 ? in[(r - 1) * n + c] : 0;
  if (y == TILE) t[TILE + 1][x] = r + 1 < m ? in[(r + 1) * n + c] : 0;
  if (x == 1) t[y][0] = c > 0 ? in[r * n + c - 1] : 0;
  if (x == TILE) t[y][TILE + 1] = c + 1 < n ? in[r * n + c + 1] : 0;
  __syncthreads();
  out[r * n + c] = t[y][x] + t[y - 1][x] + t[y + 1][x] + t[y][x - 1] + t[y][x + 1];
}
