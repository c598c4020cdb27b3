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
#include "ptx/instrument.h"
#include "ptx/parser.h"
#include "simt/grid.h"

namespace tilestep::ptx {
namespace {

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

class CountingRun : public ::testing::TestWithParam<Case> {
 protected:
  static Result<Compiled> compiled(const std::string& path, const Bindings& tunables,
                                   bool relocatable) {
    compile::CompileService::Options options;
    options.home = TILESTEP_SOURCE_DIR;
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
    source.text = readTextFile(std::string(TILESTEP_SOURCE_DIR) + "/kernels/" + path).value();
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
    const auto size = [&](const char* name) {
      return static_cast<uint64_t>(GetParam().sizes.at(name));
    };
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

  compile::Plan plan_;
  size_t columns_ = 0;
  std::vector<std::vector<uint8_t>> memory_;
};

TEST_P(CountingRun, FindsWhatTheInterpreterCounts) {
  const auto spec = compile::parseKernel(sourceOf(GetParam().kernel));
  ASSERT_TRUE(spec) << toString(spec.error());
  auto plan = compile::plan(*spec, GetParam().sizes, GetParam().tunables, {});
  ASSERT_TRUE(plan) << toString(plan.error());
  plan_ = *plan;
  const auto kernel = compiled(GetParam().kernel, plan_.tunables, false);
  if (!kernel.ok()) GTEST_SKIP() << "no compiler for it: " << kernel.error().message;
  const auto probes = compiled("probes/count.cu", {}, true);
  ASSERT_TRUE(probes.ok()) << toString(probes.error());
  const Module& plain = *(*kernel)->module;
  plan_.launches.front().entry =
      std::find_if(plain.functions.begin(), plain.functions.end(), [](const Function& f) {
        return f.isEntry;
      })->name;
  const trace::GridCounters expected = *run(plain, true).counters;
  const std::vector<uint8_t> product = memory_[2];
  for (const bool withLaps : {true, false}) {
    const auto made = instrument(plain, *(*probes)->module, plan_.launches, 0, withLaps);
    ASSERT_TRUE(made) << toString(made.error());
    columns_ = made->columns.size();
    const Result<Module> module = parse(made->ptx);
    ASSERT_TRUE(module) << toString(module.error());
    run(*module, false);
    EXPECT_EQ(memory_[2], product);
    uint32_t greatest = 0;
    std::memcpy(&greatest, memory_[3].data() + 12, sizeof greatest);
    ASSERT_EQ(greatest + 1, expected.epochs.size());
    std::vector<uint64_t> cells(memory_[4].size() / 8);
    std::memcpy(cells.data(), memory_[4].data(), memory_[4].size());
    const std::vector<Sums> counted = decoded(cells, made->columns, greatest + 1);
    for (uint32_t e = 0; e <= greatest; ++e) {
      for (const auto& [count, sum] : sumsOf(expected.epochs[e])) {
        const auto at = counted[e].find(count);
        EXPECT_EQ(at == counted[e].end() ? 0 : at->second, sum)
            << "count " << int(count) << ", epoch " << e << (withLaps ? ", with laps" : "");
      }
    }
  }
}

const Bindings kPatches{{"TILE_M", 32}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 4}, {"COLS", 4}};
const Bindings kTop{{"TILE_M", 64}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 8}, {"COLS", 8}};
const Bindings kTensor{
    {"TILE_M", 32}, {"TILE_N", 32}, {"TILE_K", 16}, {"WARP_M", 16}, {"WARP_N", 32}};
const Bindings kWhole{{"m", 64}, {"n", 64}, {"k", 40}}, kOdd{{"m", 37}, {"n", 67}, {"k", 19}},
    kFours{{"m", 70}, {"n", 68}, {"k", 33}};

INSTANTIATE_TEST_SUITE_P(
    Kernels, CountingRun,
    ::testing::Values(Case{"Tiled", "matmul_tiled.cu", kOdd, {{"TILE_WIDTH", 8}}},
                      Case{"DoubleBuffer", "ladder/rung09_double_buffer.cu", kFours, {}},
                      Case{"Copies", "ladder/rung10_async.cu", kWhole, kPatches},
                      Case{"CopiesAtOddEdges", "ladder/rung10_async.cu", kOdd, kPatches},
                      Case{"CopiesAtEdges", "ladder/rung11_warp_tiles.cu", kFours, kPatches},
                      Case{"CopiesOfBlocksInOrder", "ladder/rung12_block_order.cu", kFours, {}},
                      Case{"CopiesOfTheTop", "ladder/rung13_top.cu", kFours, kTop},
                      Case{"CopiesForTensorCores", "ladder/rung14_tf32.cu", kFours, kTensor}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace tilestep::ptx
