// SPDX-License-Identifier: Apache-2.0
// Kernels that measure the most that a GPU can do (the roofs of the roofline), and how long one
// thread waits when nothing else runs. src/device/cuda/measure/ceilings.cpp launches and times them.
// Loads are written as PTX, so that the compiler keeps all of them and each uses the intended cache.

// The number of threads per block in all kernels.
#define THREADS 256

static __device__ float4 operator+(float4 a, float4 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

// Keeps the sum alive without ever storing it, because no sum of the data equals this number.
static __device__ void keep(float4 sum, float* sink) {
  if (sum.x + sum.y + sum.z + sum.w == 1234567.0f) *sink = sum.x;
}

extern "C" {

// Writes data that memory cannot compress: pseudorandom floats between 1 and 2.
__global__ void ceiling_fill(unsigned* data, unsigned long long words) {
  unsigned long long i = blockIdx.x * static_cast<unsigned long long>(THREADS) + threadIdx.x;
  for (; i < words; i += static_cast<unsigned long long>(gridDim.x) * THREADS) {
    unsigned x = static_cast<unsigned>(i) * 0x9e3779b9u;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    data[i] = 0x3f800000u | ((x ^ (x >> 13)) >> 9);
  }
}

// Reads `vectors` times 16 bytes `passes` times, bypassing L1: from DRAM if they exceed the L2
// cache, else from L2. Each thread has four loads in flight.
__global__ void ceiling_read(const float4* data, unsigned long long vectors, unsigned passes,
                             float* sink) {
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * THREADS;
  float4 a{}, b{}, c{}, d{};
  for (unsigned pass = 0; pass < passes; ++pass) {
    unsigned long long i = blockIdx.x * static_cast<unsigned long long>(THREADS) + threadIdx.x;
    for (; i + 3 * stride < vectors; i += 4 * stride) {
      float4 v[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v[j].x), "=f"(v[j].y), "=f"(v[j].z), "=f"(v[j].w)
                     : "l"(data + i + j * stride));
      }
      a = a + v[0];
      b = b + v[1];
      c = c + v[2];
      d = d + v[3];
    }
  }
  keep((a + b) + (c + d), sink);
}

// Reads and writes `vectors` times 16 bytes with coalesced accesses, as a plain copy does.
__global__ void ceiling_copy(const float4* from, float4* to, unsigned long long vectors) {
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * THREADS;
  unsigned long long i = blockIdx.x * static_cast<unsigned long long>(THREADS) + threadIdx.x;
  for (; i < vectors; i += stride) to[i] = from[i];
}

// Does nothing. Measures the overhead of a launch.
__global__ void ceiling_empty() {}

// Every block reads the same `vectors` (few enough for every L1) `passes` times, with four loads
// of each thread in flight. `vectors` is a multiple of 4 * THREADS.
__global__ void ceiling_l1(const float4* data, unsigned vectors, unsigned passes, float* sink) {
  float4 sum[4] = {};
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (unsigned i = threadIdx.x; i < vectors; i += 4 * THREADS) {
      float4 v[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v[j].x), "=f"(v[j].y), "=f"(v[j].z), "=f"(v[j].w)
                     : "l"(data + i + j * THREADS));
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) sum[j] = sum[j] + v[j];
    }
  }
  keep((sum[0] + sum[1]) + (sum[2] + sum[3]), sink);
}

// Every thread reads 16 bytes of shared memory 4 times per pass, adjacent to those of its neighbours,
// so without bank conflicts. The slots rotate from pass to pass, so that no loaded value is reused.
__global__ void ceiling_shared(const float4* data, unsigned passes, float* sink) {
  __shared__ float4 slots[4 * THREADS];
  for (int j = 0; j < 4; ++j) slots[j * THREADS + threadIdx.x] = data[j * THREADS + threadIdx.x];
  __syncthreads();
  float4 sum[4] = {};
  unsigned base;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(base) : "l"(slots));
  unsigned offset = threadIdx.x * 16;
  for (unsigned pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      float4 v;
      asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                   : "r"(base + offset));
      sum[j] = sum[j] + v;
      offset = (offset + THREADS * 16 + 16) & (4 * THREADS * 16 - 1);
    }
  }
  keep((sum[0] + sum[1]) + (sum[2] + sum[3]), sink);
}

// A thread runs 8 independent chains of fused multiply-adds: 16 operations per pass and chain step.
__global__ void ceiling_fma(unsigned passes, float factor, float* sink) {
  float chain[8];
#pragma unroll
  for (int j = 0; j < 8; ++j) chain[j] = threadIdx.x + j;
  for (unsigned pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int step = 0; step < 16; ++step) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(chain[j]) : "f"(factor), "f"(0.5f));
      }
    }
  }
  float4 low{chain[0], chain[1], chain[2], chain[3]};
  float4 high{chain[4], chain[5], chain[6], chain[7]};
  keep(low + high, sink);
}

// Makes a chain of `count` links (a power of two), `words` words of 8 bytes apart. Each link is the
// address of the next one. Their order is that of a linear congruential generator whose period is
// `count`, so the chain passes through all links and never from a link to an adjacent one.
__global__ void latency_links(unsigned long long* data, unsigned long long count,
                              unsigned long long words) {
  unsigned long long i = blockIdx.x * static_cast<unsigned long long>(THREADS) + threadIdx.x;
  for (; i < count; i += static_cast<unsigned long long>(gridDim.x) * THREADS) {
    const unsigned long long next = (i * 1664525u + 1013904223u) & (count - 1);
    data[i * words] = reinterpret_cast<unsigned long long>(data + next * words);
  }
}

// One thread follows the chain for `steps` links. Each load's address is the result of the load
// before it. The thread begins where the last run ended.
__global__ void latency_memory(unsigned long long* place, unsigned steps) {
  if (threadIdx.x != 0) return;
  unsigned long long at = *place;
  for (unsigned step = 0; step < steps; ++step)
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(at) : "l"(at));
  *place = at;
}

// Like latency_memory, in shared memory, where each slot contains the address of another slot.
__global__ void latency_shared(unsigned steps, float* sink) {
  __shared__ unsigned slots[THREADS];
  unsigned base;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(base) : "l"(slots));
  slots[threadIdx.x] = base + (threadIdx.x + 33) % THREADS * 4;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned at = base;
  for (unsigned step = 0; step < steps; ++step)
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(at));
  if (at == 1) *sink = 1.0f;
}

// Each multiply-add needs the result of the previous one. `steps` is a multiple of 16.
__global__ void latency_fma(unsigned steps, float factor, float* sink) {
  float chain = static_cast<float>(threadIdx.x);
  for (unsigned step = 0; step < steps; step += 16) {
#pragma unroll
    for (int j = 0; j < 16; ++j)
      asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(chain) : "f"(factor), "f"(0.5f));
  }
  if (chain == 1234567.0f) *sink = chain;
}

// All warps of the block meet at a barrier `steps` times. `steps` is a multiple of 16.
__global__ void latency_barrier(unsigned steps) {
  for (unsigned step = 0; step < steps; step += 16) {
#pragma unroll
    for (int j = 0; j < 16; ++j) __syncthreads();
  }
}

}  // extern "C"
