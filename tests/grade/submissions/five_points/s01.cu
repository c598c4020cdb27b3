__global__ void separable(const int* in, int* out, int m, int n) {
  __shared__ int value[TILE][TILE + 2];   // with a column on either side
  __shared__ int across[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int r = blockIdx.y * TILE + ty, c = blockIdx.x * TILE + tx;
  for (int x = tx; x < TILE + 2; x += TILE) {
    const int cc = (int)(blockIdx.x * TILE) + x - 1;
    value[ty][x] = r < m && cc >= 0 && cc < n ? in[r * n + cc] : 0;
  }
  __syncthreads();
  across[ty][tx] = value[ty][tx] + value[ty][tx + 1] + value[ty][tx + 2];
  __syncthreads();
  if (r < m && c < n) {
    int s = across[ty][tx];
    s += r == 0 ? 0 : ty > 0 ? value[ty - 1][tx + 1] : in[(r - 1) * n + c];
    s += r == m - 1 ? 0 : ty < TILE - 1 ? value[ty + 1][tx + 1] : in[(r + 1) * n + c];
    out[r * n + c] = s;
  }
}
