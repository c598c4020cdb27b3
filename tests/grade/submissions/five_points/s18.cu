__global__ void five_points(const int* in, int* out, int n, int m) {
  // n: rows? columns? The row has m elements.
  int r = blockIdx.y * TILE + threadIdx.y;
  int c = blockIdx.x * TILE + threadIdx.x;
  if (r >= m || c >= n) return;
  int s = in[r * n + c];
  if (r > 0) s += in[(r - 1) * n + c];
  if (r + 1 < m) s += in[(r + 1) * n + c];
  if (c > 0) s += in[r * n + c - 1];
  if (c + 1 < n) s += in[r * n + c + 1];
  out[r * n + c] = s;
}
