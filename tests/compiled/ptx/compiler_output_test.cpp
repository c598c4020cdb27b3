// SPDX-License-Identifier: Apache-2.0
// Real output of compilers: clang, and nvcc if the CUDA Toolkit is installed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/files.h"
#include "ptx/analysis/accumulators.h"
#include "ptx/analysis/control_flow.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "ptx/text/symbols.h"
#include "support/has.h"
#include "support/skips.h"
#include "support/toolkit.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx::compiler_output_test {

namespace fs = std::filesystem;

// Enough of CUDA for clang without a toolkit.
constexpr std::string_view kHeader = R"(
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
struct Tid {
  __declspec(property(get = getX)) unsigned x;
  __declspec(property(get = getY)) unsigned y;
  __device__ unsigned getX() const { return __nvvm_read_ptx_sreg_tid_x(); }
  __device__ unsigned getY() const { return __nvvm_read_ptx_sreg_tid_y(); }
};
struct Bid {
  __declspec(property(get = getX)) unsigned x;
  __declspec(property(get = getY)) unsigned y;
  __device__ unsigned getX() const { return __nvvm_read_ptx_sreg_ctaid_x(); }
  __device__ unsigned getY() const { return __nvvm_read_ptx_sreg_ctaid_y(); }
};
extern const __device__ __attribute__((weak)) Tid threadIdx;
extern const __device__ __attribute__((weak)) Bid blockIdx;
__device__ void __syncthreads();
#endif
)";

constexpr std::string_view kKernels = R"(
#define TILE_WIDTH 16
extern "C" __global__ void tiled(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;
  float Pvalue = 0.0f;
  for (int ph = 0; ph < (width + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    int mc = ph * TILE_WIDTH + tx, nr = ph * TILE_WIDTH + ty;
    Mds[ty][tx] = row < width && mc < width ? M[row * width + mc] : 0.0f;
    Nds[ty][tx] = nr < width && col < width ? N[nr * width + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) Pvalue += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = Pvalue;
}

extern "C" __global__ void registers(const float* M, const float* N, float* P, int width) {
  int row = (blockIdx.y * 16 + threadIdx.y) * 4;
  int col = (blockIdx.x * 16 + threadIdx.x) * 4;
  float sums[4][4] = {};
  for (int k = 0; k < width; ++k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) sums[i][j] += M[(row + i) * width + k] * N[k * width + col + j];
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) P[(row + i) * width + col + j] = sums[i][j];
  }
}

extern "C" __global__ void sum(const float* A, float* S, int n) {
  float total = 0.0f;
  for (int i = threadIdx.x; i < n; i += 256) total += A[i];
  S[threadIdx.x] = total;
}

extern "C" __global__ void plain(const float* a, const float* b, float* c) {
  c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
)";

class CompilerOutput : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("ptx-" + std::to_string(std::random_device()()));
    fs::create_directories(folder_);
    std::ofstream(folder_ / "k.cu") << kHeader << kKernels;
    const bool isNvcc = std::string(GetParam()).starts_with("nvcc");
    const std::string nvcc = isNvcc ? support::toolkitProgram("nvcc") : "";
    if (isNvcc && nvcc.empty()) {
      GTEST_SKIP() << support::because(support::kNoToolkit, "nvcc was not found");
    }
    ASSERT_TRUE(compile(GetParam(), fs::path(nvcc).parent_path())) << GetParam();
    const Result<std::string> text = readTextFile(folder_ / "k.ptx");
    ASSERT_TRUE(text.ok()) << toString(text.error());
    text_ = *text;
    module_ = parsed(text_);
  }

  void TearDown() override { fs::remove_all(folder_); }

  /// `more`: a folder for PATH.
  bool compile(const std::string& command, const fs::path& more) const {
    const std::string line = "cd '" + folder_.string() + "' && PATH=\"$PATH:" + more.string() +
                             "\" " + command + " k.cu -o k.ptx >/dev/null 2>&1";
    return std::system(line.c_str()) == 0;
  }

  const Function& function(std::string_view name) const {
    const Function* found = module_.find(name);
    EXPECT_NE(found, nullptr) << name;
    static const Function kEmpty;
    return found == nullptr ? kEmpty : *found;
  }

  fs::path folder_;
  std::string text_;
  Module module_;
};

TEST_P(CompilerOutput, RoundTrips) {
  const std::string printed = print(module_);
  EXPECT_EQ(withoutPtxLines(parsed(printed)), withoutPtxLines(module_));
  EXPECT_EQ(print(parsed(printed)), printed);
}

TEST_P(CompilerOutput, HasTheAccumulatorsOfItsSource) {
  EXPECT_EQ(findAccumulators(function("tiled")).count, 1U);
  EXPECT_EQ(findAccumulators(function("tiled")).stores.size(), 1U);
  EXPECT_EQ(findAccumulators(function("registers")).count, 16U);
  EXPECT_EQ(findAccumulators(function("sum")).count, 1U);
  EXPECT_EQ(findAccumulators(function("plain")).count, 0U);
}

TEST_P(CompilerOutput, HasTheNamesOfItsSource) {
  const Function& tiled = function("tiled");
  std::vector<std::string> names;
  for (const Variable& variable : tiled.variables) names.push_back(displayName(variable.name));
  for (const Variable& variable : module_.variables) names.push_back(displayName(variable.name));
  EXPECT_EQ(names, (std::vector<std::string>{"Mds", "Nds"}));
}

TEST_P(CompilerOutput, EveryGlobalLoadHasALineOfTheSource) {
  int loads = 0;
  for (const Instruction& each : function("tiled").body) {
    if (each.opcode != Opcode::ld || each.space != Space::global) continue;
    ++loads;
    EXPECT_TRUE(has(module_.files.at(each.outerLine.file), "k.cu"));
    EXPECT_GT(each.outerLine.line, 0U);
  }
  EXPECT_EQ(loads, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Ptx, CompilerOutput,
    testing::Values("nvcc -O3 -arch=compute_75 -lineinfo -ptx",
                    "clang++ -x cuda --cuda-device-only --cuda-gpu-arch=sm_75 -nocudainc "
                    "-nocudalib --cuda-path=no-toolkit -fdeclspec -S -O3 -gline-directives-only"),
    [](const auto& parameter) { return std::string(parameter.index == 0 ? "nvcc" : "clang"); });

}  // namespace tilestep::ptx::compiler_output_test
