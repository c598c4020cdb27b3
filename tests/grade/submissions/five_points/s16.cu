__global__ void mixed(const int* in, int* out, int m, int n) {
  __shared__ int tile[TILE][TILE + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int c = blockIdx.x * TILE + tx, r = blockIdx.y * TILE + ty;
  bool here = r < m && c < n;
  if (here) tile[ty][tx] = in[r * n + c];
  __syncthreads();
  if (!here) return;
  int left = 0, right = 0, up = 0, down = 0;
  if (c > 0) left = tx > 0 ? tile[ty][tx - 1] : in[r * n + c - 1];
  if (c < n - 1) right = tx < TILE - 1 ? tile[ty][tx + 1] : in[r * n + c + 1];
  if (r > 0) up = ty > 0 ? tile[ty - 1][tx] : in[(r - 1) * n + c];
  if (r < m - 1) down = ty < TILE - 1 ? tile[ty + 1][tx] : in[(r + 1) * n + c];
  out[r * n + c] = tile[ty][tx] + left + right + up + down;
}
