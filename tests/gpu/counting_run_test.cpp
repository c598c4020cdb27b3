// SPDX-License-Identifier: Apache-2.0
// Counting by classes of warps, run in the interpreter in a GPU's place: what the rewritten
// programs and the host make of a grid is what the interpreter counts of the kernel as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "base/files.h"
#include "compile/compiler.h"
#include "compile/kernel.h"
#include "device/cuda/counting/grid_counts.h"
#include "ptx/rewrite/instrument_probes.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "simt/grid.h"
#include "support/source_root.h"

namespace tilestep::cuda {
namespace counting_run_test {

using compile::Bindings;
using Compiled = std::shared_ptr<const compile::Compiled>;
using Bytes = std::vector<uint8_t>;

/// A kernel's operands and its counting program.
class InterpretedMachine : public CountingMachine {
 public:
  struct Operands {
    std::vector<Bytes> buffers;
    std::vector<uint64_t> scalars;
  };
  InterpretedMachine(const ptx::Module& probes, const ptx::Counting& counting,
                     std::vector<Launch> launches, Operands operands, uint64_t signatureBytes,
                     uint64_t logBytes)
      : program_(parsed(counting.ptx)),
        classifier_(parsed(ptx::print(probes))),
        counting_(counting),
        launches_(std::move(launches)),
        initial_(std::move(operands)),
        signatureBytes_(signatureBytes),
        logBytes_(logBytes) {
    std::mt19937_64 generator(7);
    multipliers_.resize(32);
    factors_.resize(size_t{64} * 8);
    for (Bytes* numbers : {&multipliers_, &factors_}) {
      for (size_t at = 0; at < numbers->size(); at += 8) {
        const uint64_t number = generator() >> 4;
        std::memcpy(numbers->data() + at, &number, 8);
      }
    }
  }

  [[nodiscard]] uint64_t signatureBytes() const override { return signatureBytes_; }
  [[nodiscard]] uint64_t logBytes() const override { return logBytes_; }

  Status restart() override {
    buffers_ = initial_.buffers;
    ++restarts;
    return {};
  }
  Status sign(size_t launch, uint32_t first, uint32_t blocks) override {
    const Launch& one = launches_[launch];
    const uint64_t warps = (one.block.count() + 31) / 32;
    signatures_.assign((uint64_t{blocks} + 1) * warps * layoutOf(launch).bytesPerWarp(), 0);
    return run(launches_[launch].entry, launch, {&signatures_}, {first, blocks});
  }
  Result<std::vector<uint64_t>> keys(size_t launch, uint64_t warps) override {
    const std::vector<uint8_t>& kinds = layoutOf(launch).kinds;
    Bytes kindBytes(kinds.begin(), kinds.end()), keys(warps * 16);
    simt::GridRequest request;
    request.module = &classifier_;
    request.launch = {
        std::string(ptx::Probes::kClassify), {uint32_t((warps + 7) / 8), 1, 1}, {256, 1, 1}};
    addBuffer(request, signatures_);
    addBuffer(request, kindBytes);
    addBuffer(request, factors_);
    addBuffer(request, keys);
    addMultipliers(request);
    request.parameters = {simt::addressOf(0), warps,
                          kinds.size(),       layoutOf(launch).lanes,
                          simt::addressOf(1), simt::addressOf(2),
                          simt::addressOf(3)};
    if (Status s = finished(request); !s) return s.error();
    std::vector<uint64_t> words(warps * 2);
    std::memcpy(words.data(), keys.data(), keys.size());
    return words;
  }
  Status log(size_t launch, const std::vector<uint32_t>& places,
             const std::vector<uint64_t>& rooms) override {
    rooms_ = rooms;
    logs_.assign(1, {});
    uint64_t words = 0;
    for (const uint64_t room : rooms) words += room;
    log_.assign(words * ptx::TraceLog::kStride + 8, 0);
    ends_.assign((rooms.size() + 1) * 256, 0);
    Bytes placeBytes(places.size() * 4), roomBytes(rooms.size() * 16 + 8);
    std::memcpy(placeBytes.data(), places.data(), placeBytes.size());
    base_ = simt::addressOf(initial_.buffers.size() + 3);
    uint64_t at = base_;
    for (size_t e = 0; e < rooms.size(); ++e) {
      const ptx::ExemplarLog one{at, rooms[e]};
      std::memcpy(roomBytes.data() + e * 16, &one, 16);
      at += rooms[e] * ptx::TraceLog::kStride;
    }
    return run(ptx::loggingName(launches_[launch].entry), launch, {&placeBytes, &roomBytes, &ends_},
               {}, &log_);
  }
  Result<std::vector<WarpLog>> logs() override {
    std::vector<WarpLog> logs(rooms_.size());
    uint64_t at = 0;
    for (size_t e = 0; e < logs.size(); ++e) {
      logs[e].room = rooms_[e];
      for (uint32_t lane = 0; lane < 32; ++lane) {
        uint64_t end = 0;
        std::memcpy(&end, ends_.data() + (e + 1) * 256 + lane * 8, 8);
        if (end != 0) logs[e].wanted[lane] = (end - base_ - at - lane * 4) / 128;
      }
      logs[e].words.resize(rooms_[e] * 32);
      std::memcpy(logs[e].words.data(), log_.data() + at, logs[e].words.size() * 4);
      at += rooms_[e] * ptx::TraceLog::kStride;
    }
    return logs;
  }

  [[nodiscard]] const std::vector<Bytes>& buffers() const { return buffers_; }
  int restarts = 0;

 private:
  static ptx::Module parsed(const std::string& text) {
    Result<ptx::Module> module = ptx::parse(text);
    EXPECT_TRUE(module) << (module ? "" : toString(module.error()));
    return module ? *module : ptx::Module();
  }
  static void addBuffer(simt::GridRequest& request, Bytes& bytes, const char* symbol = "") {
    request.buffers.push_back(
        {"b" + std::to_string(request.buffers.size()), symbol, bytes.data(), bytes.size()});
  }
  void addMultipliers(simt::GridRequest& request) {
    addBuffer(request, multipliers_, ptx::Probes::kMultipliers);
  }
  static Status finished(const simt::GridRequest& request) {
    auto result = simt::runGrid(request, {});
    if (!result) return result.error();
    for (const simt::Fault& fault : result->faults) return workError(fault.message);
    return {};
  }
  /// The operands' buffers, then `more` as pointers, then numbers, then memory that only addresses
  /// in other memory lead to.
  Status run(const std::string& entry, size_t launch, const std::vector<Bytes*>& more,
             const std::vector<uint64_t>& numbers, Bytes* hidden = nullptr) {
    simt::GridRequest request;
    request.module = &program_;
    request.launch = launches_[launch];
    request.launch.entry = entry;
    for (Bytes& buffer : buffers_) addBuffer(request, buffer);
    for (size_t i = 0; i < buffers_.size(); ++i) request.parameters.push_back(simt::addressOf(i));
    request.parameters.insert(request.parameters.end(), initial_.scalars.begin(),
                              initial_.scalars.end());
    for (Bytes* bytes : more) {
      request.parameters.push_back(simt::addressOf(request.buffers.size()));
      addBuffer(request, *bytes);
    }
    request.parameters.insert(request.parameters.end(), numbers.begin(), numbers.end());
    if (hidden != nullptr) addBuffer(request, *hidden);
    if (counting_.calls) addMultipliers(request);
    return finished(request);
  }

  [[nodiscard]] const ptx::SignatureLayout& layoutOf(size_t launch) const {
    return counting_.entries.at(launches_[launch].entry).layout;
  }

  const ptx::Module program_, classifier_;
  const ptx::Counting& counting_;
  const std::vector<Launch> launches_;
  const Operands initial_;
  const uint64_t signatureBytes_, logBytes_;
  std::vector<Bytes> buffers_;
  Bytes signatures_, multipliers_, factors_, log_, ends_;
  std::vector<WarpLog> logs_;
  std::vector<uint64_t> rooms_;
  uint64_t base_ = 0;
};

struct Case {
  const char* name;
  const char* kernel;  ///< Path in kernels/.
  Bindings sizes, tunables;
  uint64_t mostClasses;  ///< Of warps, so that a change that tells too many apart is noticed.
};

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
  [[nodiscard]] InterpretedMachine::Operands operands() const {
    const auto size = [&](const char* name) { return static_cast<uint64_t>(sizes_.at(name)); };
    InterpretedMachine::Operands made;
    for (const uint64_t elements :
         {size("m") * size("k"), size("k") * size("n"), size("m") * size("n")}) {
      made.buffers.emplace_back(4 * elements);
    }
    std::memcpy(made.buffers.front().data(), numbers_.data(), numbers_.size() * 4);
    for (const char* name : {"m", "n", "k"}) made.scalars.push_back(size(name));
    return made;
  }

  trace::GridCounters interpreted(const ptx::Module& module) const {
    InterpretedMachine::Operands own = operands();
    simt::GridRequest request;
    request.module = &module;
    request.launch = plan_.launches.front();
    request.counters = true;
    for (Bytes& buffer : own.buffers) {
      request.buffers.push_back({"b", "", buffer.data(), buffer.size()});
      request.parameters.push_back(simt::addressOf(request.buffers.size() - 1));
    }
    for (const uint64_t scalar : own.scalars) request.parameters.push_back(scalar);
    auto result = simt::runGrid(request, {});
    EXPECT_TRUE(result) << (result ? "" : toString(result.error()));
    if (!result || !result->counters) return {};
    // A GPU does not give these.
    trace::GridCounters counters = *result->counters;
    const auto forget = [](trace::Counters& c) {
      c.warpInstructions = c.divergentBranches = std::nullopt;
    };
    forget(counters.total);
    for (trace::Counters& epoch : counters.epochs) forget(epoch);
    return counters;
  }

  GridCount counted(const ptx::Module& plain, bool mayLeaveOut, uint64_t signatureBytes,
                    uint64_t logBytes) {
    const auto probes = compiled("probes/count.cu", {}, true);
    EXPECT_TRUE(probes.ok()) << (probes.ok() ? "" : toString(probes.error()));
    if (!probes.ok()) return {};
    const auto counting = ptx::instrumentCounting(plain, *(*probes)->module, plan_.launches);
    EXPECT_TRUE(counting) << (counting ? "" : toString(counting.error()));
    if (!counting) return {};
    InterpretedMachine machine(*(*probes)->module, *counting, plan_.launches, operands(),
                               signatureBytes, logBytes);
    const Launch& launch = plan_.launches.front();
    const std::vector<CountedLaunch> launches{
        {launch, &counting->entries.at(launch.entry), mayLeaveOut}};
    Result<GridCount> count = countGrid(machine, launches);
    EXPECT_TRUE(count) << (count ? "" : toString(count.error()));
    return count ? std::move(*count) : GridCount();
  }

  void expectSameCounts(const ptx::Module& plain, uint64_t mostClasses) {
    constexpr uint64_t kMuch = uint64_t{1} << 28;
    const trace::GridCounters expected = interpreted(plain);
    for (const bool mayLeaveOut : {true, false}) {
      const GridCount count = counted(plain, mayLeaveOut, kMuch, kMuch);
      same(count.counters, expected);
      EXPECT_LE(count.classes, mostClasses) << "of " << count.warps << " warps";
      EXPECT_LT(count.mistakeLog2, kMostMistake);
    }
    // With little memory in many runs.
    same(counted(plain, true, 1, 1 << 18).counters, expected);
  }

  static std::string text(const trace::Counters& c) {
    std::string all;
    for (const trace::GlobalCounts* g : {&c.globalLoad, &c.globalStore})
      for (const uint64_t n : {g->threads, g->requests, g->sectors, g->bytes, g->distinctBytes})
        all += std::to_string(n) + " ";
    for (const trace::SharedCounts* s : {&c.sharedLoad, &c.sharedStore})
      for (const uint64_t n : {s->requests, s->wavefronts, s->bankConflicts})
        all += std::to_string(n) + " ";
    for (const uint64_t n : {c.barriers, c.ffma, c.fadd, c.fmul, c.threadInstructions})
      all += std::to_string(n) + " ";
    return all;
  }
  static void same(const trace::GridCounters& counters, const trace::GridCounters& expected) {
    ASSERT_EQ(counters.epochs.size(), expected.epochs.size());
    for (size_t e = 0; e < expected.epochs.size(); ++e) {
      EXPECT_EQ(text(counters.epochs[e]), text(expected.epochs[e])) << "epoch " << e;
    }
    EXPECT_EQ(text(counters.total), text(expected.total));
  }

  compile::Plan plan_;
  Bindings sizes_;
  std::vector<uint32_t> numbers_;  ///< What M begins with.
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
  const ptx::Module& plain = *(*kernel)->module;
  plan_.launches.front().entry =
      std::find_if(plain.functions.begin(), plain.functions.end(), [](const ptx::Function& f) {
        return f.isEntry;
      })->name;
  expectSameCounts(plain, GetParam().mostClasses);
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
    const Result<ptx::Module> plain = ptx::parse(returnsEarly(leave, end));
    ASSERT_TRUE(plain) << toString(plain.error());
    expectSameCounts(*plain, 4);
  }
}

// ---- Warps that are nearly alike ----

/// Two blocks of one warp; %r1 is the lane, %r2 the block, %rd1 to %rd3 point to M, N and P.
std::string twoWarps(const std::string& body) {
  return ".version 7.5\n.target sm_75\n.address_size 64\n.shared .align 128 .b8 tile[256];\n"
         ".visible .entry pair(.param .u64 M, .param .u64 N, .param .u64 P, .param .u32 m,\n"
         ".param .u32 n, .param .u32 k) {\n"
         ".reg .b16 %h<8>; .reg .b32 %r<24>; .reg .b64 %rd<24>; .reg .f32 %f<8>;\n"
         ".reg .pred %p<8>;\nmov.u32 %r1, %laneid; mov.u32 %r2, %ctaid.x;\n"
         "ld.param.u64 %rd1, [M]; ld.param.u64 %rd2, [N]; ld.param.u64 %rd3, [P];\n"
         "cvta.to.global.u64 %rd1, %rd1; mov.u32 %r3, 0;\n" +
         body + "ret;\n}\n";
}

/// Loads N at the indices M[lane][0 … rounds - 1] of the block's 32 rows.
std::string gather(int rounds) {
  return twoWarps(
      "mad.lo.u32 %r4, %r2, 32, %r1; mul.lo.u32 %r4, %r4, 32; mul.wide.u32 %rd4, %r4, 4;\n"
      "add.s64 %rd4, %rd1, %rd4;\n$loop: ld.global.u32 %r5, [%rd4]; mul.wide.u32 %rd5, %r5, 4;\n"
      "add.s64 %rd6, %rd2, %rd5; ld.global.f32 %f1, [%rd6]; add.s64 %rd4, %rd4, 4;\n"
      "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, " +
      std::to_string(rounds) + "; @%p1 bra $loop;\n");
}

class NearlyAlike : public CountingRun {
 protected:
  void SetUp() override {
    sizes_ = {{"m", 64}, {"n", 64}, {"k", 64}};
    plan_.launches = {{"pair", {2, 1, 1}, {32, 1, 1}, 0}};
    numbers_.resize(64 * 32);
  }
  uint32_t& index(uint32_t block, uint32_t lane, uint32_t round) {
    return numbers_[(block * 32 + lane) * 32 + round];
  }
  void expectSame(const std::string& text) {
    const Result<ptx::Module> plain = ptx::parse(text);
    ASSERT_TRUE(plain) << toString(plain.error());
    expectSameCounts(*plain, 2);
  }
};

TEST_F(NearlyAlike, OneIndexOfManyDiffers) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t round = 0; round < 20; ++round)
      for (uint32_t block = 0; block < 2; ++block) index(block, lane, round) = lane;
  index(1, 5, 10) = 5 + 64;
  expectSame(gather(20));
}

TEST_F(NearlyAlike, OneLanesIndexIsAlwaysZero) {
  for (uint32_t lane = 1; lane < 8; ++lane)
    for (uint32_t block = 0; block < 2; ++block) index(block, lane, 0) = lane + 8 * block;
  expectSame(gather(1));
}

TEST_F(NearlyAlike, LanesGoRoundDifferentlyOften) {
  index(0, 0, 0) = 100;
  index(0, 0, 1) = 200;
  index(0, 1, 0) = 150;
  index(1, 0, 0) = 100;
  index(1, 0, 1) = 232;
  index(1, 1, 0) = 182;
  std::string text = gather(1);
  const std::string bound = "setp.lt.u32 %p1, %r3, 1;";
  text.replace(text.find(bound), bound.size(), "setp.lt.u32 %p1, %r3, %r9;");
  const std::string loop = "$loop:";
  text.replace(text.find(loop), loop.size(),
               "setp.eq.u32 %p2, %r1, 0; selp.u32 %r9, 2, 1, %p2;\n$loop:");
  expectSame(text);
}

TEST_F(NearlyAlike, AGenericAccessIsOfSharedAndOfGlobalMemory) {
  expectSame(twoWarps(
      "mov.u64 %rd7, tile; cvta.shared.u64 %rd7, %rd7; mul.wide.u32 %rd8, %r1, 4;\n"
      "mul.wide.u32 %rd9, %r2, 4096; add.s64 %rd10, %rd2, %rd9; add.s64 %rd4, %rd7, %rd8;\n"
      "st.f32 [%rd4], %f1;\n$loop: ld.f32 %f1, [%rd4]; add.s64 %rd4, %rd10, %rd8;\n"
      "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3; @%p1 bra $loop;\n"));
}

TEST_F(NearlyAlike, AStrideFromMemoryIsTimesTheLane) {
  numbers_[0] = 8;
  numbers_[1] = 16;
  expectSame(
      twoWarps("mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd1, %rd4; ld.global.u32 %r4, [%rd4];\n"
               "$loop: mad.lo.s32 %r5, %r1, %r4, %r3; mul.wide.s32 %rd5, %r5, 4;\n"
               "add.s64 %rd6, %rd2, %rd5; ld.global.f32 %f1, [%rd6]; add.u32 %r3, %r3, 1;\n"
               "setp.lt.u32 %p1, %r3, 3; @%p1 bra $loop;\n"));
}

TEST_F(NearlyAlike, AStrideFromMemoryIsAddedAsOftenAsTheLaneSays) {
  numbers_[0] = 8;
  numbers_[1] = 16;
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd1, %rd4; ld.global.u32 %r4, [%rd4];\n"
      "mov.u32 %r5, 0; and.b32 %r6, %r1, 7;\n"
      "$loop: add.s32 %r5, %r5, %r4; mul.wide.s32 %rd5, %r5, 4; add.s64 %rd6, %rd2, %rd5;\n"
      "ld.global.f32 %f1, [%rd6]; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r6;\n"
      "@%p1 bra $loop;\nmul.wide.s32 %rd5, %r5, 4; add.s64 %rd6, %rd2, %rd5;\n"
      "ld.global.f32 %f1, [%rd6];\n"));
}

TEST_F(NearlyAlike, HalfOfTheLanesTakeAnotherPointer) {
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 256; mul.wide.u32 %rd5, %r2, 128; mul.wide.u32 %rd6, %r1, 4;\n"
      "add.s64 %rd7, %rd2, %rd4; add.s64 %rd7, %rd7, %rd6; add.s64 %rd8, %rd2, %rd5;\n"
      "add.s64 %rd8, %rd8, %rd6; setp.lt.u32 %p1, %r1, 16; @%p1 bra $low;\n"
      "add.s64 %rd9, %rd7, 0; bra $join;\n$low: add.s64 %rd9, %rd8, 0;\n"
      "$join: ld.global.f32 %f1, [%rd9];\n"));
}

TEST_F(NearlyAlike, APointerIsChosenInEachRound) {
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 256; mul.wide.u32 %rd5, %r2, 128; mul.wide.u32 %rd6, %r1, 4;\n"
      "add.s64 %rd7, %rd2, %rd4; add.s64 %rd7, %rd7, %rd6; add.s64 %rd8, %rd2, %rd5;\n"
      "add.s64 %rd8, %rd8, %rd6;\n$loop: mov.u64 %rd9, %rd7; setp.lt.u32 %p1, %r1, 16;\n"
      "@%p1 mov.u64 %rd9, %rd8;\nld.global.f32 %f1, [%rd9]; add.u32 %r3, %r3, 1;\n"
      "setp.lt.u32 %p2, %r3, 3; @%p2 bra $loop;\n"));
}

TEST_F(NearlyAlike, TheHighHalfOfANumberIsAnIndex) {
  numbers_[1] = 3;  // Of a number of 64 bits, of block 0.
  numbers_[3] = 4;
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 8; add.s64 %rd4, %rd1, %rd4; ld.global.u64 %rd5, [%rd4];\n"
      "mul.wide.u32 %rd8, %r1, 4; add.s64 %rd8, %rd8, %rd2;\n"
      "$loop: mov.b64 {%r4, %r5}, %rd5; mul.wide.u32 %rd6, %r5, 4; add.s64 %rd7, %rd8, %rd6;\n"
      "ld.global.f32 %f1, [%rd7]; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3;\n"
      "@%p1 bra $loop;\n"));
}

TEST_F(NearlyAlike, AnIndexOf16BitsWrapsAround) {
  numbers_[0] = 65520;
  numbers_[1] = 65504;
  expectSame(twoWarps(
      "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd1, %rd4; ld.global.u32 %r4, [%rd4];\n"
      "add.u32 %r4, %r4, %r1; cvt.u16.u32 %h1, %r4; mov.u16 %h3, 0;\n"
      "$loop: add.u16 %h2, %h1, %h3; mul.wide.u16 %r5, %h2, 4; and.b32 %r5, %r5, 16383;\n"
      "cvt.u64.u32 %rd5, %r5; add.s64 %rd6, %rd2, %rd5; ld.global.f32 %f1, [%rd6];\n"
      "add.u16 %h3, %h3, 1; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3; @%p1 bra $loop;\n"));
}

TEST_F(NearlyAlike, AFloatsBitsAreAnIndex) {
  numbers_[0] = 1;
  numbers_[1] = 2;
  expectSame(
      twoWarps("mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd1, %rd4;\n"
               "$loop: ld.global.f32 %f1, [%rd4]; mov.b32 %r4, %f1; mul.wide.u32 %rd5, %r4, 4;\n"
               "add.s64 %rd6, %rd2, %rd5; ld.global.f32 %f2, [%rd6]; add.u32 %r3, %r3, 1;\n"
               "setp.lt.u32 %p1, %r3, 3; @%p1 bra $loop;\n"));
}

const Bindings kPatches{{"TILE_M", 32}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 4}, {"COLS", 4}};
const Bindings kTop{{"TILE_M", 64}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 8}, {"COLS", 8}};
const Bindings kTensor{
    {"TILE_M", 32}, {"TILE_N", 32}, {"TILE_K", 16}, {"WARP_M", 16}, {"WARP_N", 32}};
const Bindings kWhole{{"m", 64}, {"n", 64}, {"k", 40}}, kOdd{{"m", 37}, {"n", 67}, {"k", 19}},
    kFours{{"m", 70}, {"n", 68}, {"k", 33}};

INSTANTIATE_TEST_SUITE_P(
    Kernels, KernelsCountingRun,
    ::testing::Values(Case{"Naive", "matmul_naive.cu", kOdd, {}, 100},
                      Case{"Tiled", "matmul_tiled.cu", kOdd, {{"TILE_WIDTH", 8}}, 100},
                      Case{"TiledByOddWidths", "matmul_tiled.cu", kOdd, {{"TILE_WIDTH", 13}}, 108},
                      Case{"TiledWhole", "matmul_tiled.cu", kWhole, {{"TILE_WIDTH", 16}}, 8},
                      Case{"FreeTiles", "matmul_tiled_free.cu", kOdd, {}, 100},
                      Case{"Swapped", "matmul_tiled_swapped.cu", kFours, {}, 120},
                      Case{"Vectors", "ladder/rung07_vectors.cu", kFours, {}, 100},
                      Case{"DoubleBuffer", "ladder/rung09_double_buffer.cu", kFours, {}, 100},
                      Case{"Copies", "ladder/rung10_async.cu", kWhole, kPatches, 100},
                      Case{"CopiesAtOddEdges", "ladder/rung10_async.cu", kOdd, kPatches, 100},
                      Case{"CopiesAtEdges", "ladder/rung11_warp_tiles.cu", kFours, kPatches, 100},
                      Case{
                          "CopiesOfBlocksInOrder", "ladder/rung12_block_order.cu", kFours, {}, 100},
                      Case{"CopiesOfTheTop", "ladder/rung13_top.cu", kFours, kTop, 100},
                      Case{"CopiesForTensorCores", "ladder/rung14_tf32.cu", kFours, kTensor, 100}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace counting_run_test
}  // namespace tilestep::cuda
