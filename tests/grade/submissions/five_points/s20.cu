__global__ void five_points(const int* in, int* out, int m, int n) {
  __shared__ int t[TILE + 2][TILE + 2];
  int c = blockIdx.x * TILE + threadIdx.x, r = blockIdx.y * TILE + threadIdx.y;
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  t[y][x] = r < m && c < n ? in[r * n + c] : 0;
  if (x == 1 || y == 1 || x == TILE || y == TILE) {
    if (y == 1) t[0][x] = r > 0 && c < n ? in[(r - 1) * n + c] : 0;
    if (y == TILE) t[TILE + 1][x] = r + 1 < m && c < n ? in[(r + 1) * n + c] : 0;
    if (x == 1) t[y][0] = c > 0 && r < m ? in[r * n + c - 1] : 0;
    if (x == TILE) t[y][TILE + 1] = c + 1 < n && r < m ? in[r * n + c + 1] : 0;
    __syncthreads();
  }
  if (r < m && c < n) {
    out[r * n + c] = t[y][x] + t[y - 1][x] + t[y + 1][x] + t[y][x - 1] + t[y][x + 1];
  }
}
