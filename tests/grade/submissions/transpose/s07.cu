template <int Rows, int Step, class Body>
__device__ inline void forRows(int first, Body body) {
  for (int r = first; r < Rows; r += Step) body(r);
}

__global__ void generic(const float* M, float* P, int m, int n) {
  __shared__ int bits[32][33];
  const int tx = threadIdx.x;
  const int top = blockIdx.y * 32, left = blockIdx.x * 32;
  forRows<32, 8>(threadIdx.y, [&](int r) {
    if (top + r < m && left + tx < n) bits[r][tx] = __float_as_int(M[(top + r) * n + left + tx]);
  });
  __syncthreads();
  forRows<32, 8>(threadIdx.y, [&](int c) {
    if (left + c < n && top + tx < m) P[(left + c) * m + top + tx] = __int_as_float(bits[tx][c]);
  });
}
