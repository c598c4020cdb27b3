// Calls of every family of the runtime, each with a known result.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define EXPECT(condition) \
  if (!(condition)) std::printf("line %d: %s\n", __LINE__, #condition)
#define CALL(call) EXPECT((call) == cudaSuccess)

__device__ float table[4] = {1, 2, 3, 4};

__global__ void twice(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}
__global__ void column(const float* rows, size_t pitch, int height, float* out) {
  const int y = threadIdx.x;
  if (y < height) out[y] = *(const float*)((const char*)rows + y * pitch + sizeof(float));
}
__global__ void lookUp(float* out) {
  out[threadIdx.x] = table[threadIdx.x];
}
__global__ void dynamicSum(int* out) {
  extern __shared__ int cells[];
  cells[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < blockDim.x; ++i) sum += cells[i];
    *out = sum;
  }
}
struct Pair {
  float* data;
  float add;
  int n;
};
__global__ void addTo(Pair pair) {
  if (threadIdx.x < pair.n) pair.data[threadIdx.x] += pair.add;
}

void device() {
  int count = 0, id = -1, value = 0;
  CALL(cudaGetDeviceCount(&count));
  EXPECT(count == 1);
  CALL(cudaSetDevice(0));
  CALL(cudaGetDevice(&id));
  EXPECT(id == 0);
  cudaDeviceProp properties;
  CALL(cudaGetDeviceProperties(&properties, 0));
  EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
  CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  EXPECT(value == properties.multiProcessorCount);
  EXPECT(cudaSetDevice(1) == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  EXPECT(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
}

void memory() {
  float* managed;
  CALL(cudaMallocManaged(&managed, 8 * sizeof(float)));
  for (int i = 0; i < 8; ++i) managed[i] = i;
  twice<<<1, 8>>>(managed, 8);
  CALL(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) EXPECT(managed[i] == 2 * i);
  CALL(cudaFree(managed));

  float* pinned;
  CALL(cudaHostAlloc(&pinned, 8 * sizeof(float), cudaHostAllocMapped));
  float* mapped;
  CALL(cudaHostGetDevicePointer(&mapped, pinned, 0));
  for (int i = 0; i < 8; ++i) pinned[i] = 1;
  twice<<<1, 8>>>(mapped, 8);
  CALL(cudaDeviceSynchronize());
  EXPECT(pinned[7] == 2);
  CALL(cudaFreeHost(pinned));

  const size_t width = 3, height = 4;
  std::vector<float> rows(width * height), out(height);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  float *pitched, *d_out;
  size_t pitch;
  CALL(cudaMallocPitch(&pitched, &pitch, width * sizeof(float), height));
  EXPECT(pitch >= width * sizeof(float));
  CALL(cudaMalloc(&d_out, height * sizeof(float)));
  CALL(cudaMemcpy2D(pitched, pitch, rows.data(), width * sizeof(float), width * sizeof(float),
                    height, cudaMemcpyHostToDevice));
  column<<<1, 32>>>(pitched, pitch, height, d_out);
  CALL(cudaMemcpy(out.data(), d_out, height * sizeof(float), cudaMemcpyDefault));
  for (size_t y = 0; y < height; ++y) EXPECT(out[y] == y * width + 1);
  CALL(cudaMemset(d_out, 0, height * sizeof(float)));
  CALL(cudaMemcpy(out.data(), d_out, height * sizeof(float), cudaMemcpyDeviceToHost));
  EXPECT(out[2] == 0);
  CALL(cudaFree(pitched));
  CALL(cudaFree(d_out));
  CALL(cudaFree(nullptr));

  size_t free = 0, total = 0, bytes = 0;
  CALL(cudaMemGetInfo(&free, &total));
  EXPECT(free > 0 && free <= total);
  float* address;
  CALL(cudaGetSymbolAddress((void**)&address, table));
  CALL(cudaGetSymbolSize(&bytes, table));
  EXPECT(bytes == sizeof table);
  const float five = 5;
  CALL(cudaMemcpy(address + 1, &five, sizeof five, cudaMemcpyHostToDevice));
  const float six = 6;
  CALL(cudaMemcpyToSymbol(table, &six, sizeof six, 2 * sizeof(float)));
  float* d_table;
  float seen[4];
  CALL(cudaMalloc(&d_table, sizeof seen));
  lookUp<<<1, 4>>>(d_table);
  CALL(cudaMemcpy(seen, d_table, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0] == 1 && seen[1] == 5 && seen[2] == 6 && seen[3] == 4);
  Pair pair{d_table, 10, 4};
  addTo<<<1, 32>>>(pair);
  CALL(cudaMemcpy(seen, d_table, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0] == 11);
  cudaPointerAttributes attributes;
  CALL(cudaPointerGetAttributes(&attributes, d_table));
  EXPECT(attributes.type == cudaMemoryTypeDevice);
  CALL(cudaFree(d_table));
}

void streams() {
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CALL(cudaStreamCreate(&stream));
  CALL(cudaEventCreate(&start));
  CALL(cudaEventCreate(&stop));
  float *data, ms = -1, back = 0;
  const float one = 1;
  CALL(cudaMalloc(&data, sizeof(float)));
  CALL(cudaMemcpyAsync(data, &one, sizeof one, cudaMemcpyHostToDevice, stream));
  CALL(cudaEventRecord(start, stream));
  twice<<<1, 1, 0, stream>>>(data, 1);
  CALL(cudaEventRecord(stop, stream));
  CALL(cudaEventSynchronize(stop));
  CALL(cudaEventElapsedTime(&ms, start, stop));
  EXPECT(ms >= 0);
  CALL(cudaMemcpyAsync(&back, data, sizeof back, cudaMemcpyDeviceToHost, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(back == 2);
  EXPECT(cudaStreamQuery(stream) == cudaSuccess);
  CALL(cudaFree(data));
  CALL(cudaEventDestroy(start));
  CALL(cudaEventDestroy(stop));
  CALL(cudaStreamDestroy(stream));
  EXPECT(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

void launches() {
  int *sum, back = 0;
  CALL(cudaMalloc(&sum, sizeof(int)));
  dynamicSum<<<1, 100, 100 * sizeof(int)>>>(sum);
  CALL(cudaMemcpy(&back, sum, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back == 4950);
  CALL(cudaFuncSetAttribute(dynamicSum, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  dynamicSum<<<1, 10, 90000>>>(sum);
  CALL(cudaGetLastError());
  cudaFuncAttributes attributes;
  CALL(cudaFuncGetAttributes(&attributes, dynamicSum));
  EXPECT(attributes.maxThreadsPerBlock == 1024);
  int grid = 0, block = 0, blocks = 0;
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 256, 0));
  EXPECT(blocks == 8);
  CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, twice, 0, 0));
  EXPECT(block > 0 && grid > 0);
  void* arguments[] = {&sum};
  CALL(cudaLaunchKernel(dynamicSum, dim3(1), dim3(4), arguments, 4 * sizeof(int), nullptr));
  CALL(cudaMemcpy(&back, sum, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back == 6);
  CALL(cudaFree(sum));
}


int main() {
  device();
  memory();
  streams();
  launches();
  float4 v = make_float4(1, 2, 3, 4);
  EXPECT(v.w == 4 && max(3, 7) == 7);
  std::printf("done\n");
}
