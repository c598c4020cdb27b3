__global__ void five_points(const int* in, int* out, int m, int n) {
  int r = blockIdx.y * TILE + threadIdx.y;
  int c = blockIdx.x * TILE + threadIdx.x;
  if (r < m && c < n) {
    int i = r * n + c;
    int s = in[i];
    if (i - 1 >= 0) s += in[i - 1];
    if (i + 1 < m * n) s += in[i + 1];
    if (i - n >= 0) s += in[i - n];
    if (i + n < m * n) s += in[i + n];
    out[i] = s;
  }
}
