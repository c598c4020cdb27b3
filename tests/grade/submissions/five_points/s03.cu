__global__ void stepwise(const int* in, int* out, int m, int n) {
  int r = blockIdx.y * TILE + threadIdx.y;
  int c = blockIdx.x * TILE + threadIdx.x;
  if (r >= m || c >= n) return;
  int* mine = &out[r * n + c];
  *mine = in[r * n + c];
  for (int d = -1; d <= 1; d += 2) {
    if (c + d >= 0 && c + d < n) *mine += in[r * n + c + d];
    if (r + d >= 0 && r + d < m) *mine += in[(r + d) * n + c];
  }
}
