#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                        \
  do {                                                                     \
    cudaError_t status = (call);                                           \
    if (status != cudaSuccess) {                                           \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(EXIT_FAILURE);                                                  \
    }                                                                      \
  } while (0)

#include <algorithm>
#include <chrono>
#include <string>

using namespace std;

struct Options {
  string name = "max";
  size_t count = 1 << 20;
};

template <typename T>
struct Max {
  static __device__ __host__ T identity() { return T(-1); }
  __device__ __host__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};

template <typename T, template <typename> class Op, unsigned kBlock>
__global__ void reduceKernel(const T* in, T* out, unsigned n) {
  __shared__ T values[kBlock];
  Op<T> op;
  unsigned tid = threadIdx.x, i = blockIdx.x * kBlock + tid;
  values[tid] = i < n ? in[i] : Op<T>::identity();
  __syncthreads();
#pragma unroll
  for (unsigned stride = kBlock / 2; stride > 0; stride >>= 1) {
    if (tid < stride) values[tid] = op(values[tid], values[tid + stride]);
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = values[0];
}

template <typename T>
T hostReduce(const vector<T>& values) {
  return *max_element(values.begin(), values.end());
}

int main() {
  Options options;
  vector<int> values(options.count, 3);
  int *in, *out;
  CHECK(cudaMalloc(&in, values.size() * sizeof(int)));
  CHECK(cudaMalloc(&out, values.size() / 128 * sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  auto start = chrono::steady_clock::now();
  reduceKernel<int, Max, 128><<<values.size() / 128, 128>>>(in, out, values.size());
  CHECK(cudaDeviceSynchronize());
  auto end = chrono::steady_clock::now();
  printf("%s: %lld us\n", options.name.c_str(),
         (long long)chrono::duration_cast<chrono::microseconds>(end - start).count());
  return hostReduce(values) == 3 ? 0 : 1;
}
