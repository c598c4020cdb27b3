// SPDX-License-Identifier: Apache-2.0
// A rewritten kernel counts itself right: it runs in the interpreter, which has no hand in its
// table, and what the table says is what the interpreter counts of the kernel as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "base/files.h"
#include "compile/compiler.h"
#include "compile/kernel.h"
#include "ptx/rewrite/instrument.h"
#include "ptx/text/parser.h"
#include "simt/grid.h"
#include "support/source_root.h"

namespace tilestep::ptx {
namespace counting_run_test {

using compile::Bindings;
using Compiled = std::shared_ptr<const compile::Compiled>;
/// By name of the count.
using Sums = std::map<Count, uint64_t>;

struct Case {
  const char* name;
  const char* kernel;  ///< Path in kernels/.
  Bindings sizes, tunables;
};

Sums sumsOf(const trace::Counters& c) {
  return {{Count::globalLoadThreads, c.globalLoad.threads},
          {Count::globalLoadRequests, c.globalLoad.requests},
          {Count::globalLoadSectors, c.globalLoad.sectors},
          {Count::globalLoadBytes, c.globalLoad.bytes},
          {Count::globalLoadDistinctBytes, c.globalLoad.distinctBytes},
          {Count::globalStoreThreads, c.globalStore.threads},
          {Count::globalStoreRequests, c.globalStore.requests},
          {Count::globalStoreSectors, c.globalStore.sectors},
          {Count::globalStoreBytes, c.globalStore.bytes},
          {Count::globalStoreDistinctBytes, c.globalStore.distinctBytes},
          {Count::sharedLoadRequests, c.sharedLoad.requests},
          {Count::sharedLoadWavefronts, c.sharedLoad.wavefronts},
          {Count::sharedLoadBankConflicts, c.sharedLoad.bankConflicts},
          {Count::sharedStoreRequests, c.sharedStore.requests},
          {Count::sharedStoreWavefronts, c.sharedStore.wavefronts},
          {Count::sharedStoreBankConflicts, c.sharedStore.bankConflicts},
          {Count::barriers, c.barriers},
          {Count::ffma, c.ffma},
          {Count::fadd, c.fadd},
          {Count::fmul, c.fmul},
          {Count::threadInstructions, c.threadInstructions}};
}

/// What CountTable says of its cells, epoch by epoch.
std::vector<Sums> decoded(const std::vector<uint64_t>& cells,
                          const std::vector<CountColumn>& columns, uint32_t epochs) {
  const size_t width = columns.size(), table = CountTable::kEpochs * width;
  std::vector<Sums> sums(epochs);
  for (size_t t = 0; t < size_t{CountTable::kCopies} * CountTable::kPeriods; ++t) {
    const size_t period = t % CountTable::kPeriods + 1;
    for (size_t c = 0; c < width; ++c) {
      for (size_t first = 0; first < period; ++first) {
        uint64_t sum = 0;
        for (size_t e = first; e < epochs; e += period) {
          sum += cells[t * table + e * width + c];
          for (const CountTerm& term : columns[c])
            sums[e][term.count] += sum * static_cast<uint64_t>(term.factor);
        }
      }
    }
  }
  return sums;
}

class CountingRun : public ::testing::Test {
 protected:
  static Result<Compiled> compiled(const std::string& path, const Bindings& tunables,
                                   bool relocatable) {
    compile::CompileService::Options options;
    options.home = support::sourceRoot();
    compile::CompileService service(options);
    compile::CompileRequest request;
    request.source = sourceOf(path);
    request.tunables = tunables;
    request.relocatable = relocatable;
    return service.compile(request);
  }
  static compile::KernelSource sourceOf(const std::string& path) {
    compile::KernelSource source;
    source.path = "kernels/" + path;
    source.text = readTextFile(support::sourceRoot() + "/kernels/" + path).value();
    return source;
  }

  /// A product's operands: three matrices and three sizes.
  simt::GridResult run(const Module& module, bool counters) {
    simt::GridRequest request;
    request.module = &module;
    request.launch = plan_.launches.front();
    request.counters = counters;
    memory_.clear();
    memory_.reserve(8);
    const auto buffer = [&](const char* name, const char* symbol, size_t bytes) {
      memory_.emplace_back(bytes);
      request.buffers.push_back({name, symbol, memory_.back().data(), bytes});
    };
    const auto size = [&](const char* name) { return static_cast<uint64_t>(sizes_.at(name)); };
    buffer("M", "", 4 * size("m") * size("k"));
    buffer("N", "", 4 * size("k") * size("n"));
    buffer("P", "", 4 * size("m") * size("n"));
    for (size_t i = 0; i < 3; ++i) request.parameters.push_back(simt::addressOf(i));
    for (const char* name : {"m", "n", "k"}) request.parameters.push_back(size(name));
    if (!counters) addTable(request, buffer);
    auto result = simt::runGrid(request, {});
    EXPECT_TRUE(result) << toString(result.error());
    if (!result) return {};
    for (const simt::Fault& fault : result->faults) ADD_FAILURE() << fault.message;
    return std::move(*result);
  }

  /// The module's variable that points to the cells, as the host of a GPU would set it.
  template <class Buffer>
  void addTable(simt::GridRequest& request, Buffer buffer) {
    buffer("table", CountTable::kSymbol, 16);
    const uint64_t cells = simt::addressOf(request.buffers.size());
    const auto columns = static_cast<uint32_t>(columns_);
    std::memcpy(memory_.back().data(), &cells, sizeof cells);
    std::memcpy(memory_.back().data() + 8, &columns, sizeof columns);
    buffer("cells", "",
           size_t{8} * CountTable::kCopies * CountTable::kPeriods * CountTable::kEpochs * columns_);
  }

  /// The counts of the rewritten kernel and of the kernel as it is, epoch by epoch, and P.
  void expectSameCounts(const Module& plain) {
    const auto probes = compiled("probes/count.cu", {}, true);
    ASSERT_TRUE(probes.ok()) << toString(probes.error());
    const trace::GridCounters expected = *run(plain, true).counters;
    const std::vector<uint8_t> product = memory_[2];
    for (const bool withLaps : {true, false}) {
      SCOPED_TRACE(withLaps ? "with laps" : "without laps");
      const auto made = instrument(plain, *(*probes)->module, plan_.launches, 0, withLaps);
      ASSERT_TRUE(made) << toString(made.error());
      columns_ = made->columns.size();
      const Result<Module> module = parse(made->ptx);
      ASSERT_TRUE(module) << toString(module.error());
      run(*module, false);
      EXPECT_EQ(memory_[2], product);
      compare(*made, expected);
    }
  }

  void compare(const Instrumented& made, const trace::GridCounters& expected) {
    uint32_t greatest = 0;
    std::memcpy(&greatest, memory_[3].data() + 12, sizeof greatest);
    ASSERT_EQ(greatest + 1, expected.epochs.size());
    std::vector<uint64_t> cells(memory_[4].size() / 8);
    std::memcpy(cells.data(), memory_[4].data(), memory_[4].size());
    const std::vector<Sums> counted = decoded(cells, made.columns, greatest + 1);
    for (uint32_t e = 0; e <= greatest; ++e) {
      for (const auto& [count, sum] : sumsOf(expected.epochs[e])) {
        const auto at = counted[e].find(count);
        EXPECT_EQ(at == counted[e].end() ? 0 : at->second, sum)
            << "count " << int(count) << ", epoch " << e;
      }
    }
  }

  compile::Plan plan_;
  Bindings sizes_;
  size_t columns_ = 0;
  std::vector<std::vector<uint8_t>> memory_;
};

class KernelsCountingRun : public CountingRun, public ::testing::WithParamInterface<Case> {};

TEST_P(KernelsCountingRun, FindsWhatTheInterpreterCounts) {
  sizes_ = GetParam().sizes;
  const auto spec = compile::parseKernel(sourceOf(GetParam().kernel));
  ASSERT_TRUE(spec) << toString(spec.error());
  auto plan = compile::plan(*spec, sizes_, GetParam().tunables, {});
  ASSERT_TRUE(plan) << toString(plan.error());
  plan_ = *plan;
  const auto kernel = compiled(GetParam().kernel, plan_.tunables, false);
  ASSERT_TRUE(kernel.ok()) << toString(kernel.error());
  const Module& plain = *(*kernel)->module;
  plan_.launches.front().entry =
      std::find_if(plain.functions.begin(), plain.functions.end(), [](const Function& f) {
        return f.isEntry;
      })->name;
  expectSameCounts(plain);
}

/// 100 threads of two blocks of 96 go past the barriers; the others return before them.
std::string returnsEarly(const std::string& leave, const std::string& end) {
  return ".version 7.5\n.target sm_75\n.address_size 64\n.shared .align 4 .b8 tile[384];\n"
         ".visible .entry early(.param .u64 M, .param .u64 N, .param .u64 P, .param .u32 m,\n"
         ".param .u32 n, .param .u32 k) {\n"
         ".reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .pred %p<4>;\n"
         "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 96, %r1;\n"
         "setp.ge.u32 %p1, %r3, 100;\n" +
         leave +
         "ld.param.u64 %rd1, [P]; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd3, %rd1, %rd2;\n"
         "mov.u32 %r4, tile; mad.lo.u32 %r5, %r1, 4, %r4; cvt.rn.f32.u32 %f1, %r1;\n"
         "mov.u32 %r6, 0; mov.f32 %f3, 0f00000000;\n"
         "bar.red.popc.u32 %r7, 0, %p1;\n"
         "$loop: st.shared.f32 [%r5], %f1; bar.sync 0; ld.shared.f32 %f2, [tile];\n"
         "add.f32 %f3, %f3, %f2; bar.sync 0; add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 5;\n"
         "@%p2 bra $loop; ld.global.f32 %f4, [%rd3]; add.f32 %f3, %f3, %f4;\n"
         "st.global.f32 [%rd3], %f3;\n" +
         end + "}\n";
}

TEST_F(CountingRun, CountsThreadsThatReturnBeforeABarrier) {
  sizes_ = {{"m", 10}, {"n", 10}, {"k", 1}};
  plan_.launches = {{"early", {2, 1, 1}, {96, 1, 1}, 0}};
  for (const auto& [leave, end] :
       {std::pair("@%p1 bra $done;\n", "$done: ret;\n"),
        std::pair("@!%p1 bra $work; bra.uni $done;\n$work:\n",
                  "bra.uni $last;\n$done: bra.uni $last;\n$last: ret;\n"),
        std::pair("@%p1 bra $done;\n", "ret;\n$done: bra.uni $last;\n$last: ret;\n")}) {
    SCOPED_TRACE(leave);
    const Result<Module> plain = parse(returnsEarly(leave, end));
    ASSERT_TRUE(plain) << toString(plain.error());
    expectSameCounts(*plain);
  }
}

const Bindings kPatches{{"TILE_M", 32}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 4}, {"COLS", 4}};
const Bindings kTop{{"TILE_M", 64}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 8}, {"COLS", 8}};
const Bindings kTensor{
    {"TILE_M", 32}, {"TILE_N", 32}, {"TILE_K", 16}, {"WARP_M", 16}, {"WARP_N", 32}};
const Bindings kWhole{{"m", 64}, {"n", 64}, {"k", 40}}, kOdd{{"m", 37}, {"n", 67}, {"k", 19}},
    kFours{{"m", 70}, {"n", 68}, {"k", 33}};

INSTANTIATE_TEST_SUITE_P(
    Kernels, KernelsCountingRun,
    ::testing::Values(Case{"Tiled", "matmul_tiled.cu", kOdd, {{"TILE_WIDTH", 8}}},
                      Case{"DoubleBuffer", "ladder/rung09_double_buffer.cu", kFours, {}},
                      Case{"Copies", "ladder/rung10_async.cu", kWhole, kPatches},
                      Case{"CopiesAtOddEdges", "ladder/rung10_async.cu", kOdd, kPatches},
                      Case{"CopiesAtEdges", "ladder/rung11_warp_tiles.cu", kFours, kPatches},
                      Case{"CopiesOfBlocksInOrder", "ladder/rung12_block_order.cu", kFours, {}},
                      Case{"CopiesOfTheTop", "ladder/rung13_top.cu", kFours, kTop},
                      Case{"CopiesForTensorCores", "ladder/rung14_tf32.cu", kFours, kTensor}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace counting_run_test
}  // namespace tilestep::ptx
