// SPDX-License-Identifier: Apache-2.0
// The GPU's counts, compared with the interpreter's over kernels, odd sizes and tunables, and with
// the hardware's counters for the textbook kernels at N = 1024.
#include <gtest/gtest.h>

#include <cstdlib>

#include "gpu/gpu_job.h"
#include "gpu/same_counts.h"
#include "support/results.h"

namespace tilestep::test::counting_test {

using compile::Bindings;
using device::Job;
using device::Outcome;
using trace::Counters;

struct Case {
  std::string kernel;
  Bindings sizes, tunables;
};

std::string nameOf(const Case& c) {
  std::string name = c.kernel;
  for (const auto& [key, value] : c.sizes) name += " " + key + "=" + std::to_string(value);
  for (const auto& [key, value] : c.tunables) name += " " + key + "=" + std::to_string(value);
  return name;
}

class Counting : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    gpu_ = openFirstGpu().release();
    maker_ = new JobMaker();
  }
  static void TearDownTestSuite() {
    delete gpu_;
    delete maker_;
  }

  static Result<Job> jobOf(const Case& c) {
    return maker_->shipped(c.kernel, c.sizes, c.tunables, gpu_->info().limits);
  }

  static void expectSame(const Case& c) {
    SCOPED_TRACE(nameOf(c));
    Job job = valueOrThrow(jobOf(c));
    expectSameJob(job);
  }

  static void expectSameJob(const Job& job) { test::expectSameCounts(*gpu_, job); }

  static inline device::Device* gpu_ = nullptr;
  static inline JobMaker* maker_ = nullptr;
};

Bindings product(int64_t m, int64_t n, int64_t k) {
  return {{"m", m}, {"n", n}, {"k", k}};
}

TEST_F(Counting, NaiveEqualsInterpreter) {
  TILESTEP_NEED_GPU(gpu_);
  for (const auto& [x, y] : {std::pair{16, 16}, {32, 8}, {5, 7}, {1, 1}, {33, 3}}) {
    for (const auto& sizes : {product(1, 1, 1), product(7, 7, 7), product(33, 33, 33),
                              product(100, 61, 37), product(64, 64, 64)}) {
      expectSame({"matmul_naive", sizes, {{"BLOCK_X", x}, {"BLOCK_Y", y}}});
    }
  }
}

TEST_F(Counting, TiledEqualsInterpreter) {
  TILESTEP_NEED_GPU(gpu_);
  for (const int64_t width : {1, 2, 4, 5, 8, 11, 16, 31, 32}) {
    for (const auto& sizes :
         {product(1, 1, 1), product(33, 33, 33), product(100, 61, 37), product(96, 128, 160)}) {
      expectSame({"matmul_tiled", sizes, {{"TILE_WIDTH", width}}});
    }
  }
}

TEST_F(Counting, OtherKernelsEqualInterpreter) {
  TILESTEP_NEED_GPU(gpu_);
  for (const auto& sizes : {product(1, 1, 1), product(100, 61, 37), product(64, 64, 64)}) {
    for (const int64_t width : {4, 8, 16, 32}) {
      expectSame({"matmul_tiled_dynamic", sizes, {{"TILE_WIDTH", width}}});
      expectSame({"matmul_tiled_swapped", sizes, {{"TILE_WIDTH", width}, {"PAD", 0}}});
      expectSame({"matmul_tiled_swapped", sizes, {{"TILE_WIDTH", width}, {"PAD", 1}}});
    }
    expectSame({"matmul_tiled_free", sizes, {}});
  }
  for (const Bindings& sizes : {Bindings{{"m", 1}, {"n", 1}}, {{"m", 33}, {"n", 100}}}) {
    for (const auto& [x, y] : {std::pair{32, 32}, {16, 16}, {7, 3}}) {
      expectSame({"matrix_sum", sizes, {{"BLOCK_X", x}, {"BLOCK_Y", y}}});
    }
    for (const int64_t variant : {0, 1, 2}) {
      for (const int64_t width : {5, 16, 32}) {
        expectSame({"transpose", sizes, {{"VARIANT", variant}, {"TILE_WIDTH", width}}});
      }
    }
  }
}

TEST_F(Counting, FreeTilesEqualInterpreter) {
  TILESTEP_NEED_GPU(gpu_);
  const auto tiles = [](int64_t m, int64_t n, int64_t k, int64_t x, int64_t y) {
    return Bindings{{"TILE_M", m}, {"TILE_N", n}, {"TILE_K", k}, {"BLOCK_X", x}, {"BLOCK_Y", y}};
  };
  for (const auto& tunables : {tiles(32, 32, 16, 16, 16), tiles(5, 7, 3, 2, 3),
                               tiles(64, 64, 8, 16, 16), tiles(1, 1, 1, 1, 1)}) {
    expectSame({"matmul_tiled_free", product(61, 45, 37), tunables});
  }
}

// Widths from one byte to sixteen, as vectors and scalars, guarded and unguarded, in a loop with a
// barrier.
constexpr const char* kWidths = R"cu(/*---
entry = "widths"
sizes = { n = 1000 }
[launch]
block = ["96"]
grid = ["ceildiv(n, 96)"]
[[operand]]
name = "in"
extent = "4 * n"
[[operand]]
name = "bytes"
type = "u8"
extent = "n"
[[operand]]
name = "out"
extent = "4 * n"
direction = "inout"
[[operand]]
name = "wide"
type = "f64"
extent = "n"
direction = "out"
[[operand]]
name = "n"
kind = "scalar"
---*/
__global__ void widths(const float* in, const unsigned char* bytes, float* out, double* wide,
                       int n) {
  __shared__ float four[4 * 96];
  __shared__ double eight[2 * 96];
  __shared__ unsigned char one[96];
  int i = blockIdx.x * 96 + threadIdx.x;
  int t = threadIdx.x;
  float4 v = {0, 0, 0, 0};
  if (i < n) v = reinterpret_cast<const float4*>(in)[i];
  reinterpret_cast<float4*>(four)[t] = v;
  eight[2 * t] = v.x;
  eight[2 * t + 1] = v.y;
  one[t * 5 % 96] = i < n ? bytes[n - 1 - i] : 0;
  __syncthreads();
  double sum = 0;
  for (int j = 0; j < t % 7; ++j) {
    sum += eight[(3 * t + j) % 192] + one[(t * 3 + j) % 96];
  }
  __syncthreads();
  if (i < n) {
    float2 a = reinterpret_cast<float2*>(four)[t * 2 % 192];
    reinterpret_cast<float4*>(out)[i].x += a.x * 2.0f + a.y;
    if (i % 3 == 0) out[4 * i + 3] = in[(i * 37) % n];
    wide[i] = sum;
  }
}
)cu";

TEST_F(Counting, WidthsEqualInterpreter) {
  TILESTEP_NEED_GPU(gpu_);
  Job job = valueOrThrow(maker_->fromText(kWidths, {{"n", 1000}}));
  expectSameJob(job);
}

// Loops whose iterations differ in their path, in their addresses, by themselves or only in some
// lanes, so that mistaking one iteration or warp for another changes the counts.
std::string loopKernel(const std::string& body) {
  return R"cu(/*---
entry = "loops"
sizes = { n = 1000 }
[launch]
block = ["48"]
grid = ["ceildiv(n, 48)"]
[[operand]]
name = "in"
extent = "4 * n"
[[operand]]
name = "out"
extent = "n"
direction = "out"
[[operand]]
name = "n"
kind = "scalar"
---*/
__global__ void loops(const float* in, float* out, int n) {
  __shared__ float tile[512];
  int t = threadIdx.x;
  int i = blockIdx.x * 48 + t;
  float sum = 0;
  for (int e = t; e < 512; e += 48) tile[e] = 0;
  __syncthreads();
)cu" + body +
         R"cu(
  if (i < n) out[i] = sum;
}
)cu";
}

const std::vector<std::pair<const char*, const char*>> kLoops = {
    {"a step of 28 bytes: sectors change, nothing else", R"cu(
#pragma unroll 1
  for (int r = 0; r < 40; ++r) {
    tile[t] = in[i + 7 * r];
    __syncthreads();
    sum += tile[(t + 5) % 48];
    __syncthreads();
  })cu"},
    {"two arrays, of which one is out of step with 32 bytes every third time", R"cu(
  const float* other = in + n;
#pragma unroll 1
  for (int r = 0; r < 40; ++r) {
    tile[t] = in[i + 8 * r] + other[i + 8 * r + r / 3];
    __syncthreads();
    sum += tile[(t + 5) % 48];
    __syncthreads();
  })cu"},
    {"lanes leave one by one, and come back", R"cu(
#pragma unroll 1
  for (int r = 0; r < 70; ++r) {
    if (t < r && t + 40 > r) tile[t] = in[i + 8 * r];
    __syncthreads();
    if (t == r % 48) sum += tile[(t + 5) % 48];
    else sum -= tile[t];
    __syncthreads();
  })cu"},
    {"the data says which way", R"cu(
#pragma unroll 1
  for (int r = 0; r < 60; ++r) {
    float v = in[i + 8 * (r % 20)];
    if (v > 0.5f) tile[2 * t] = v;
    if (v < -0.5f) tile[3 * t + 200] = v;
    __syncthreads();
    if (tile[t] > 0) sum += tile[(7 * t) % 100] * v;
    __syncthreads();
  })cu"},
    {"as many rounds as the iteration says, with conflicts", R"cu(
#pragma unroll 1
  for (int r = 0; r < 40; ++r) {
    tile[t] = in[i + 8 * r];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < r / 4 % 5; ++j) sum += tile[4 * t + j];
    __syncthreads();
  })cu"},
    {"rounds that only some lanes take", R"cu(
#pragma unroll 1
  for (int r = 0; r < 40; ++r) {
    tile[t] = in[i + 8 * r];
    __syncthreads();
    if (t % 3 == r % 3) {
#pragma unroll 1
      for (int j = 0; j < 1 + r % 2; ++j) sum += tile[4 * t + j];
    }
    __syncthreads();
  })cu"},
    {"rounds of each lane's own", R"cu(
#pragma unroll 1
  for (int r = 0; r < 40; ++r) {
    tile[t] = in[i + 8 * r];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < (t + r) % 4; ++j) sum += tile[4 * t + j];
    __syncthreads();
  })cu"},
    {"a loop that loads, in the last iterations alone", R"cu(
#pragma unroll 1
  for (int r = 0; r < 40; ++r) {
    if (r > 35) {
#pragma unroll 1
      for (int j = 0; j < t % 4; ++j) {
        if (in[i + j] > 0) tile[t] += in[i + 9 * j];
      }
    } else {
      tile[t] = in[i];
    }
    __syncthreads();
    sum += tile[(t + 5) % 48];
    __syncthreads();
  })cu"},
    {"three barriers, one loop after the other, within another", R"cu(
#pragma unroll 1
  for (int k = 0; k < 3; ++k) {
#pragma unroll 1
    for (int r = 0; r < 10 + k; ++r) {
      tile[t] = in[i + 16 * r + k];
      __syncthreads();
      sum += tile[(t + 5) % 48];
      __syncthreads();
      if (t > 2 * r) tile[t + 64] = sum;
      __syncthreads();
      sum += tile[64 + (t + 1) % 48];
    }
#pragma unroll 1
    for (int r = 0; r < 7; ++r) {
      if (t < 40) tile[256 + 4 * t] = in[i + 8 * r];
      __syncthreads();
      sum += tile[256 + 2 * t];
      __syncthreads();
    }
  })cu"},
    {"rounds numbered by steps that only the launch knows, and downward in threes", R"cu(
#pragma unroll 1
  for (int r = 0; r < 30 * n; r += n) {
    if (i + 8 * r < 4 * n) tile[t] = in[i + 8 * r];
    __syncthreads();
    sum += tile[(t + 5) % 48];
    __syncthreads();
  }
#pragma unroll 1
  for (int r = 90; r > 0; r -= 3) {
    if (t < r) tile[t] = in[i + 8 * r];
    __syncthreads();
    sum += tile[(t + 5) % 48];
    __syncthreads();
  })cu"},
    {"units of 1, 8 and 16 bytes", R"cu(
  unsigned char* bytes = reinterpret_cast<unsigned char*>(tile + 256);
#pragma unroll 1
  for (int r = 0; r < 30; ++r) {
    float4 v = reinterpret_cast<const float4*>(in)[t + 3 * r];
    if (t % 2 == r % 2) reinterpret_cast<float4*>(tile)[t] = v;
    bytes[5 * t] = static_cast<unsigned char>(t + r);
    __syncthreads();
    float2 w = reinterpret_cast<float2*>(tile)[2 * t];
    sum += w.x * v.y + bytes[3 * t];
    __syncthreads();
  })cu"},
};

TEST_F(Counting, LoopsEqualInterpreter) {
  TILESTEP_NEED_GPU(gpu_);
  for (const auto& [what, body] : kLoops) {
    SCOPED_TRACE(what);
    Job job = valueOrThrow(maker_->fromText(loopKernel(body), {{"n", 1000}}));
    expectSameJob(job);
  }
}

// cp.async counts as a load of global memory and a store to shared memory, on the GPU and in the
// interpreter.
TEST_F(Counting, AsynchronousCopiesEqualInterpreter) {
  TILESTEP_NEED_GPU(gpu_);
  const Bindings patches{{"TILE_M", 32}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 4}, {"COLS", 4}};
  const Bindings top{{"TILE_M", 64}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 8}, {"COLS", 8}};
  for (const Bindings& sizes : {product(64, 64, 40), product(37, 67, 19), product(70, 68, 33),
                                product(256, 256, 256), product(300, 258, 70)}) {
    for (const char* kernel : {"rung10_async", "rung11_warp_tiles", "rung12_block_order"}) {
      expectSame({kernel, sizes, {}});
      expectSame({kernel, sizes, patches});
    }
    expectSame({"rung13_top", sizes, {}});
    expectSame({"rung13_top", sizes, top});
    // If rows are not aligned, the warp diverges before its stores, and the rewritten program
    // counts differently (docs/measurements/parted-lanes.md).
    if (sizes.at("n") % 4 != 0) continue;
    SCOPED_TRACE("rung14_tf32");
    Job job = valueOrThrow(jobOf({"rung14_tf32", sizes, {}}));
    test::expectSameCounts(*gpu_, job, false);
  }
}

const char* const kCopies = R"cu(/*---
entry = "copies"
arch = "compute_80"
sizes = { n = 1000 }
[launch]
block = ["48"]
grid = ["ceildiv(n, 48)"]
[[operand]]
name = "in"
extent = "4 * n"
[[operand]]
name = "out"
extent = "n"
direction = "out"
[[operand]]
name = "n"
kind = "scalar"
---*/
__global__ void copies(const float* in, float* out, int n) {
  __shared__ __align__(16) float tile[512];
  int t = threadIdx.x;
  int i = blockIdx.x * 48 + t;
  for (int e = t; e < 512; e += 48) tile[e] = 0;
  float sum = 0;
  unsigned to = (unsigned)__cvta_generic_to_shared(&tile[8 * t]);
  __syncthreads();
#pragma unroll 1
  for (int r = 0; r < 20; ++r) {
    int left = i + r < n ? 8 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(in + 2 * i), "r"(left));
    asm volatile("cp.async.ca.shared.global [%0+8], [%1], 4, 0;" ::"r"(to), "l"(in));
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %2, %3; setp.lt.s32 q, %2, %4;\n"
                 "@q cp.async.cg.shared.global [%0+16], [%1], 16, p; }" ::"r"(to), "l"(in + 4 * (i % n)),
                 "r"(t), "r"(2 * r), "r"(40));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    sum += tile[(8 * t + r) % 384];
    __syncthreads();
  }
  if (i < n) out[i] = sum;
}
)cu";

/// A program that uses up its own variables does different work when it is launched again, and
/// counting needs several launches.
TEST_F(Counting, EachLaunchFindsTheModulesVariablesAsTheyAreWritten) {
  TILESTEP_NEED_GPU(gpu_);
  Result<Job> job = maker_->fromText(
      kernelText("__device__ int left = 2;\n__device__ int launches;\n"
                 "__device__ float table[64] = {1, 2, 3};\n"
                 "__global__ void test(float* P, int n) {\n"
                 "  int i = blockIdx.x * 32 + threadIdx.x;\n  float v = 0;\n"
                 "  if (blockIdx.x == 0) {\n"
                 "    for (int r = left; r > launches; --r) v += table[i * r * 7 % 64];\n"
                 "    __syncthreads();\n"
                 "    if (i == 0) --left, ++launches;\n"
                 "  }\n"
                 "  if (i < n) P[i] = v;\n}\n"),
      {{"n", 1000}});
  ASSERT_TRUE(job.ok()) << toString(job.error());
  expectSameJob(*job);
}

// Copies with a computed number of bytes, no bytes, and a predicate that omits the source.
TEST_F(Counting, FormsOfCopiesEqualInterpreter) {
  TILESTEP_NEED_GPU(gpu_);
  Job job = valueOrThrow(maker_->fromText(kCopies, {{"n", 1000}}));
  expectSameJob(job);
}

// All epochs beyond the table's last row are summed.
TEST_F(Counting, MoreEpochsThanRows) {
  TILESTEP_NEED_GPU(gpu_);
  expectSame({"matmul_tiled", product(3, 3, 2100), {{"TILE_WIDTH", 1}}});
  expectSame({"matmul_tiled", product(5, 5, 9001), {{"TILE_WIDTH", 2}}});
}

struct Row {
  std::string kernel;
  Bindings tunables;
  uint64_t loadRequests, loadSectors, storeRequests, storeSectors, sharedStores;
};

// Nsight Compute on one H200 (docs/measurements/gpu-counters.md).
TEST_F(Counting, EqualsHardwareAt1024) {
  TILESTEP_NEED_GPU(gpu_);
  const std::vector<Row> rows = {
      {"matmul_naive", {{"BLOCK_X", 16}, {"BLOCK_Y", 16}}, 67108864, 134217728, 32768, 131072, 0},
      {"matmul_naive", {{"BLOCK_X", 32}, {"BLOCK_Y", 8}}, 67108864, 167772160, 32768, 131072, 0},
      {"matmul_tiled", {{"TILE_WIDTH", 4}}, 33554432, 134217728, 65536, 262144, 33554432},
      {"matmul_tiled", {{"TILE_WIDTH", 8}}, 8388608, 33554432, 32768, 131072, 8388608},
      {"matmul_tiled", {{"TILE_WIDTH", 16}}, 4194304, 16777216, 32768, 131072, 4194304},
      {"matmul_tiled", {{"TILE_WIDTH", 32}}, 2097152, 8388608, 32768, 131072, 2097152},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(nameOf({row.kernel, {}, row.tunables}));
    Job job = valueOrThrow(jobOf({row.kernel, product(1024, 1024, 1024), row.tunables}));
    job.counters = true;
    job.check = true;
    const Outcome outcome = valueOrThrow(gpu_->run(job, {}));
    const Counters& c = outcome.counters->total;
    EXPECT_EQ(c.globalLoad.requests, row.loadRequests);
    EXPECT_EQ(c.globalLoad.sectors, row.loadSectors);
    EXPECT_EQ(c.globalStore.requests, row.storeRequests);
    EXPECT_EQ(c.globalStore.sectors, row.storeSectors);
    EXPECT_EQ(c.ffma, 1073741824U);
    EXPECT_EQ(c.sharedStore.requests, row.sharedStores);
  }
}

// For tests/gpu/sanitize.sh: every shipped kernel at a small size, plain and rewritten for each
// purpose. TILESTEP_TEST_SIZE sets another size, TILESTEP_TEST_KERNELS a list of kernels.
TEST_F(Counting, EachShippedKernelOnceAndSmall) {
  TILESTEP_NEED_GPU(gpu_);
  const auto clocks = maker_->probe("clocks", false);
  ASSERT_TRUE(clocks.ok()) << toString(clocks.error());
  const char* size = std::getenv("TILESTEP_TEST_SIZE");
  const char* only = std::getenv("TILESTEP_TEST_KERNELS");
  for (const std::string kernel :
       {"matmul_naive", "matmul_tiled", "matmul_tiled_dynamic", "matmul_tiled_free",
        "matmul_tiled_swapped", "matrix_sum", "transpose"}) {
    if (only != nullptr &&
        (" " + std::string(only) + " ").find(" " + kernel + " ") == std::string::npos) {
      continue;
    }
    Bindings sizes = {{"m", 40}, {"n", 33}, {"k", 35}};
    if (size != nullptr) sizes = product(std::atoi(size), std::atoi(size), std::atoi(size));
    if (kernel.rfind("matmul", 0) != 0) sizes.erase("k");
    Result<Job> job = maker_->shipped(kernel, sizes, {}, gpu_->info().limits);
    ASSERT_TRUE(job.ok()) << kernel << ": " << toString(job.error());
    job->counters = job->timeline = job->check = true;
    job->traceBlock = Dim3{0, 0, 0};
    job->clockProbe = (*clocks)->ptx;
    const Result<Outcome> outcome = gpu_->run(*job, {});
    ASSERT_TRUE(outcome.ok()) << kernel << ": " << toString(outcome.error());
    EXPECT_TRUE(outcome->faults.empty()) << kernel << ": " << outcome->faults[0].message;
    EXPECT_TRUE(outcome->timeline.has_value()) << kernel << ": " << outcome->timelineNote;
    EXPECT_TRUE(outcome->trace != nullptr) << kernel << ": " << outcome->traceNote;
    EXPECT_EQ(outcome->unwritten, std::optional<uint64_t>(0)) << kernel;
  }
}

}  // namespace tilestep::test::counting_test
