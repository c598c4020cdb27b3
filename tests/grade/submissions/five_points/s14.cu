__global__ void five_points(const int* in, int* out, int m, int n) {
  __shared__ int t[TILE + 2][TILE + 2];
  int c = blockIdx.x * TILE + threadIdx.x, r = blockIdx.y * TILE + threadIdx.y;
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  t[y][x] = load(in, m, n, r, c);
  if (y == 1) t[0][x] = load(in, m, n, r - 1, c);
  if (y == TILE) t[TILE + 1][x] = load(in, m, n, r + 1, c);
  if (x == 1) t[y][0] = load(in, m, n, r, c - 1);
  if (x == TILE) t[y][TILE + 1] = load(in, m, n, r, c + 1);
  __syncthreads();
  if (r < m && c < n) {
    out[r * n + c] = t[y][x] + t[y - 1][x] + t[y + 1][x] + t[y][x - 1] + t[y][x + 1];
  }
}
