// SPDX-License-Identifier: Apache-2.0
// Every kernel in kernels/ compiles over a range of its tunables with both compilers. Our parser
// reads the PTX, its parameters are the operands, and its products are fused.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "compile/compiler.h"
#include "compile/front_matter/symbols.h"
#include "compile/kernel.h"
#include "compile/text/parameters.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/toolkit.h"
#include "unit/compile/sample_kernel.h"

namespace tilestep::compile::shipped_kernels_test {

struct Case {
  const char* kernel;
  std::vector<Bindings> spread;
};

std::vector<Case> cases() {
  return {
      {"matmul_naive", {{{"BLOCK_X", 16}, {"BLOCK_Y", 16}}}},
      {"matmul_tiled",
       {{{"TILE_WIDTH", 1}}, {{"TILE_WIDTH", 7}}, {{"TILE_WIDTH", 16}}, {{"TILE_WIDTH", 32}}}},
      {"matmul_tiled_dynamic", {{{"TILE_WIDTH", 16}}}},
      {"matmul_tiled_swapped", {{{"TILE_WIDTH", 32}, {"PAD", 0}}, {{"TILE_WIDTH", 9}, {"PAD", 1}}}},
      {"matmul_tiled_free",
       {{{"TILE_M", 32}, {"TILE_N", 32}, {"TILE_K", 16}, {"BLOCK_X", 16}, {"BLOCK_Y", 16}},
        {{"TILE_M", 1}, {"TILE_N", 1}, {"TILE_K", 1}, {"BLOCK_X", 1}, {"BLOCK_Y", 1}},
        {{"TILE_M", 7}, {"TILE_N", 13}, {"TILE_K", 5}, {"BLOCK_X", 3}, {"BLOCK_Y", 2}},
        {{"TILE_M", 64}, {"TILE_N", 64}, {"TILE_K", 8}, {"BLOCK_X", 8}, {"BLOCK_Y", 8}}}},
      {"matrix_sum", {{{"BLOCK_X", 32}, {"BLOCK_Y", 16}}}},
      {"transpose",
       {{{"VARIANT", 0}, {"TILE_WIDTH", 32}},
        {{"VARIANT", 1}, {"TILE_WIDTH", 16}},
        {{"VARIANT", 2}, {"TILE_WIDTH", 5}}}},
      {"reduce_neighbored", {{{"BLOCK", 256}}}},
      {"reduce_neighbored_less", {{{"BLOCK", 64}}}},
      {"reduce_interleaved", {{{"BLOCK", 1024}}}},
      {"reduce_unroll2", {{{"BLOCK", 256}}}},
      {"reduce_unroll8", {{{"BLOCK", 128}}}},
      {"reduce_unroll_warp", {{{"BLOCK", 64}}, {{"BLOCK", 512}}}},
      {"reduce_unroll_complete", {{{"BLOCK", 1024}}}},
      {"reduce_templated", {{{"BLOCK", 64}}, {{"BLOCK", 1024}}}},
      {"reduce_global_neighbored", {{{"BLOCK", 256}}}},
      {"reduce_global_neighbored_less", {{{"BLOCK", 64}}}},
      {"reduce_global_interleaved", {{{"BLOCK", 1024}}}},
      {"matmul_in_memory", {{{"BLOCK_X", 16}, {"BLOCK_Y", 16}}}},
      {"branch_thread_parity", {{{"BLOCK", 256}, {"ROUNDS", 16}}}},
      {"branch_warp_parity", {{{"BLOCK", 256}, {"ROUNDS", 16}}}},
      {"branch_predicate", {{{"BLOCK", 256}, {"ROUNDS", 16}}}},
      {"strided_copy", {{{"BLOCK", 256}, {"OFFSET", 1}, {"STRIDE", 32}}}},
      {"points_aos", {{{"BLOCK", 256}}}},
      {"points_soa", {{{"BLOCK", 256}}}},
      {"matmul_coarsened",
       {{{"TILE_WIDTH", 32}, {"COARSE", 2}},
        {{"TILE_WIDTH", 5}, {"COARSE", 3}},
        {{"TILE_WIDTH", 16}, {"COARSE", 16}}}},
      {"scan_block", {{{"SECTION", 8}}, {{"SECTION", 1024}}}},
      {"scan_block_efficient", {{{"SECTION", 8}}, {{"SECTION", 2048}}}},
      {"histogram_global", {{{"BLOCK", 256}, {"BINS", 256}}}},
      {"histogram_shared", {{{"BLOCK", 8}, {"BINS", 64}}, {{"BLOCK", 1024}, {"BINS", 2}}}},
      {"convolution_naive", {{{"BLOCK_X", 16}, {"BLOCK_Y", 4}, {"RADIUS", 1}}}},
      {"convolution_tiled",
       {{{"TILE_WIDTH", 32}, {"RADIUS", 5}}, {{"TILE_WIDTH", 1}, {"RADIUS", 2}}}},
  };
}

class ShippedKernels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    service = std::make_unique<CompileService>(
        CompileService::Options{support::sourceRoot(), "", GetParam()});
    const auto compiler = service->description();
    if (compiler) return;
    const std::string skip = support::skipWithout(GetParam());
    ASSERT_NE(skip, "") << compiler.error().message;
    GTEST_SKIP() << skip;
  }
  std::shared_ptr<const Compiled> compiled(const std::string& kernel, const Bindings& tunables) {
    CompileRequest request;
    request.source = *findKernel(kernelFolder(), kernel);
    request.tunables = tunables;
    return valueOrThrow(service->compile(request));
  }
  std::unique_ptr<CompileService> service;
};

INSTANTIATE_TEST_SUITE_P(Both, ShippedKernels, testing::Values("nvrtc", "clang"),
                         [](const auto& test) { return std::string(test.param); });

// With every compiler, each rung is as described: a thread's sums are in registers, and from rung 7
// on, shared memory is read 16 bytes per instruction.
TEST_P(ShippedKernels, TheLaddersSumsAreInRegisters) {
  int rungs = 0;
  for (const CatalogueEntry& entry : readCatalogue(kernelFolder() + "/ladder")) {
    ASSERT_TRUE(entry.spec.has_value()) << toString(*entry.error);
    CompileRequest request;
    request.source = entry.source;
    for (const auto& tunable : entry.spec->tunables) {
      request.tunables[tunable.name] = tunable.defaultValue;
    }
    if (!entry.spec->arch.empty()) request.arch = entry.spec->arch;
    const auto result = valueOrThrow(service->compile(request));
    const std::string& ptx = result->ptx;
    EXPECT_FALSE(has(ptx, "ld.local")) << entry.spec->name;
    EXPECT_FALSE(has(ptx, "st.local")) << entry.spec->name;
    EXPECT_FALSE(has(ptx, "call")) << entry.spec->name << " calls a function";
    const std::string number = entry.spec->name.substr(4, 2);
    const bool loadsVectors = number >= "07" && number <= "13";
    EXPECT_TRUE(!loadsVectors || ptx.find("ld.shared.v4") != std::string::npos) << number;
    ++rungs;
  }
  EXPECT_EQ(rungs, 14);
}

// The example that users copy must be right.
TEST_P(ShippedKernels, TheExampleInTheDocumentsWorks) {
  const auto page = readTextFile(support::sourceRoot() + "/docs/kernels.md");
  ASSERT_TRUE(page.ok());
  constexpr std::string_view kFence = "```cuda\n";
  const size_t begin = page->find(kFence) + kFence.size();
  CompileRequest request;
  request.source = {"kernels/saxpy.cu", page->substr(begin, page->find("```", begin) - begin), {}};
  const auto spec = valueOrThrow(parseKernel(request.source));
  const auto planned = valueOrThrow(plan(spec, {{"n", 1000}}, {{"BLOCK", 64}}, Limits{}));
  EXPECT_EQ(planned.launches[0].grid.x, 16u);
  request.tunables = planned.tunables;
  const auto result = valueOrThrow(service->compile(request));
  EXPECT_TRUE(checkParameters(spec, *result->module).ok());
}

size_t count(const ptx::Function& function, ptx::Opcode opcode, ptx::Space space) {
  return static_cast<size_t>(std::count_if(
      function.body.begin(), function.body.end(),
      [&](const ptx::Instruction& i) { return i.opcode == opcode && i.space == space; }));
}

TEST_P(ShippedKernels, CompileOverTheirTunables) {
  for (const Case& each : cases()) {
    const KernelSpec spec = *parseKernel(*findKernel(kernelFolder(), each.kernel));
    for (const Bindings& tunables : each.spread) {
      SCOPED_TRACE(each.kernel);
      const auto result = compiled(each.kernel, tunables);
      ASSERT_TRUE(result);
      const Status parameters = checkParameters(spec, *result->module);
      EXPECT_TRUE(parameters.ok()) << (parameters ? "" : parameters.error().message);
      EXPECT_TRUE(plan(spec, {}, tunables, Limits{}).ok());
      EXPECT_EQ(result->log, "");
    }
  }
}

// The reference counts are based on two global loads, one global store and two shared stores.
TEST_P(ShippedKernels, TheTiledKernelAccessesMemoryAsInTheTextbook) {
  const auto result = compiled("matmul_tiled", {{"TILE_WIDTH", 16}});
  ASSERT_TRUE(result);
  const ptx::Function* entry = result->module->find("matmul_tiled");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(count(*entry, ptx::Opcode::ld, ptx::Space::global), 2u);
  EXPECT_EQ(count(*entry, ptx::Opcode::st, ptx::Space::global), 1u);
  EXPECT_EQ(count(*entry, ptx::Opcode::st, ptx::Space::shared), 2u);
  std::vector<std::string> arrays;
  for (const ptx::Variable& variable : entry->variables) arrays.push_back(plainName(variable.name));
  EXPECT_EQ(arrays, (std::vector<std::string>{"Mds", "Nds"}));
}

}  // namespace tilestep::compile::shipped_kernels_test
