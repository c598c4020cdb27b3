// A whole program without a fault.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                  \
  do {                                                                               \
    const cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                      \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error));    \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (false)

__constant__ float factor;
__device__ int added;

template <class T>
__global__ void add(const T* a, const T* b, T* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) printf("block of %d\n", blockDim.x);
  if (i >= n) return;
  c[i] = factor * a[i] + b[i];
  atomicAdd(&added, 1);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  const size_t bytes = n * sizeof(float);
  float* a = static_cast<float*>(std::malloc(bytes));
  float* c = static_cast<float*>(std::malloc(bytes));
  for (int i = 0; i < n; ++i) a[i] = static_cast<float>(i);
  float *d_a, *d_b, *d_c;
  CHECK(cudaMalloc((void**)&d_a, bytes));
  CHECK(cudaMalloc(&d_b, bytes));
  CHECK(cudaMalloc(&d_c, bytes));
  CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, a, bytes, cudaMemcpyHostToDevice));
  const float two = 2;
  CHECK(cudaMemcpyToSymbol(factor, &two, sizeof two));
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
  int count = 0, wrong = 0;
  CHECK(cudaMemcpyFromSymbol(&count, added, sizeof count));
  for (int i = 0; i < n; ++i) wrong += c[i] != 3.0f * i;
  std::printf("%d wrong, %d added\n", wrong, count);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
  std::free(a);
  std::free(c);
  return wrong != 0;
}
