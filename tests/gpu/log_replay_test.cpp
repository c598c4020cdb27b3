// SPDX-License-Identifier: Apache-2.0
// Tracing without a GPU: the interpreter runs the rewritten module instead of the machine. The
// recording made from its threads' logs must equal the interpreter's own recording.
#include "device/cuda/trace/log_replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "gpu/interpreted_operands.h"
#include "gpu/trace_cases.h"
#include "ptx/rewrite/instrument_trace.h"
#include "ptx/text/parser.h"
#include "support/results.h"

namespace tilestep::cuda::log_replay_test {

using test::TraceCase;

/// The interpreter instead of the GPU, with a job's operands and a log.
class StandIn {
 public:
  StandIn(const device::Job& job, uint32_t room) : job_(job), room_(room), operands_(job) {}

  /// Runs the rewritten module with `block` chosen.
  Result<ThreadLogs> run(const ptx::Tracing& tracing, Dim3 block) {
    const Result<ptx::Module> module = ptx::parse(tracing.ptx);
    if (!module) return module.error();
    // Words that no thread writes look like the mark of the first instruction.
    test::Bytes memory(tracing.log.bytes(room_));
    for (size_t i = 3; i < memory.size(); i += 4) memory[i] = std::byte{0x5a};
    simt::GridRequest request = operands_.request(*module, job_.launches.front());
    for (const uint32_t own : {block.x, block.y, block.z, room_}) request.parameters.push_back(own);
    test::addPointer(request, memory);
    const auto ran = test::runWell(request);
    if (!ran) return ran.error();
    return logsFrom(tracing.log, memory, request.parameters.back());
  }

  [[nodiscard]] TracedLaunch launch(Dim3 block) const {
    TracedLaunch traced;
    traced.module = job_.module.get();
    traced.launch = job_.launches.front();
    traced.entry = traced.module->find(traced.launch.entry);
    traced.block = block;
    for (size_t i = 0; i < memory().size(); ++i) {
      if (memory()[i].empty()) continue;
      traced.operands.push_back({simt::addressOf(i), memory()[i].size(), static_cast<int16_t>(i)});
    }
    return traced;
  }
  [[nodiscard]] const std::vector<test::Bytes>& memory() const { return operands_.memory; }

 private:
  [[nodiscard]] ThreadLogs logsFrom(const ptx::TraceLog& log, const test::Bytes& memory,
                                    uint64_t start) const {
    ThreadLogs logs;
    logs.room = room_;
    const auto copy = [&]<class T>(std::vector<T>& to, size_t count, uint64_t from) {
      to.resize(count);
      std::memcpy(to.data(), memory.data() + from, count * sizeof(T));
    };
    copy(logs.addresses, log.addressCount(), 0);
    copy(logs.wanted, log.threads, log.endsAt());
    for (uint32_t thread = 0; thread < log.threads; ++thread) {
      logs.wanted[thread] =
          (logs.wanted[thread] - start - log.startOf(thread, room_)) / ptx::TraceLog::kStride;
    }
    constexpr uint32_t kLanes = ptx::TraceLog::kLanes;
    for (uint32_t warp = 0; warp < log.warps(); ++warp) {
      copy(logs.words.emplace_back(), size_t{room_} * kLanes, log.startOf(warp * kLanes, room_));
    }
    return logs;
  }

  const device::Job& job_;
  uint32_t room_;
  test::InterpretedOperands operands_;
};

class LogReplay : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { maker_ = new test::JobMaker; }
  static void TearDownTestSuite() { delete maker_; }

  static Result<device::Outcome> interpreted(device::Job job, Dim3 block, size_t cap) {
    job.traceBlock = block;
    job.traceBytes = cap;
    return device::openSimt(1)->run(job, {});
  }

  static void expectSame(const device::Job& job, Dim3 block, uint32_t room = 0,
                         size_t cap = trace::BlockTrace::kDefaultCap) {
    SCOPED_TRACE("block " + std::to_string(block.x) + "," + std::to_string(block.y));
    const Result<device::Outcome> wanted = interpreted(job, block, cap);
    ASSERT_TRUE(wanted.ok()) << toString(wanted.error());
    ASSERT_TRUE(wanted->faults.empty()) << wanted->faults.front().message;
    const Result<ptx::Tracing> tracing = ptx::instrumentTrace(*job.module, job.launches.front());
    ASSERT_TRUE(tracing.ok()) << toString(tracing.error());
    if (room == 0) room = std::max(1U << 12, (1U << 16) / tracing->log.warps());
    StandIn machine(job, room);
    const ThreadLogs logs = valueOrThrow(machine.run(*tracing, block));
    TracedLaunch launch = machine.launch(block);
    launch.traceBytes = cap;
    const trace::BlockTrace made = valueOrThrow(recordingOf(launch, tracing->log, logs));
    EXPECT_TRUE(test::sameRecordings(made, *wanted->trace));
    for (size_t i = 0; i < wanted->outputs.size(); ++i) {
      if (wanted->outputs[i].empty()) continue;
      EXPECT_TRUE(machine.memory()[i] == wanted->outputs[i]) << "tracing changed operand " << i;
    }
  }

  static inline test::JobMaker* maker_ = nullptr;
};

TEST_F(LogReplay, EqualsTheInterpretersRecording) {
  size_t compared = 0;
  for (const TraceCase& c : test::traceCases(false)) {
    SCOPED_TRACE(test::nameOf(c));
    const auto job = valueOrThrow(maker_->shipped(c.kernel, c.sizes, c.tunables, {}));
    for (const Dim3& block : test::blocksOf(job.launches.front().grid)) {
      expectSame(job, block);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100U);
}

TEST_F(LogReplay, KnowsWidthsVectorsGenericAddressesAndDivergence) {
  const auto job = valueOrThrow(maker_->fromText(test::mixedKernel(), {{"n", 1000}}));
  for (const Dim3& block : test::blocksOf(job.launches.front().grid)) expectSame(job, block);
}

TEST_F(LogReplay, ThreadsThatReturnBeforeABarrier) {
  const auto job = maker_->fromText(
      "/*---\nentry = \"test\"\nsizes = { n = 300 }\n[launch]\nblock = [\"256\"]\n"
      "grid = [\"ceildiv(n, 256)\"]\n[[operand]]\nname = \"P\"\ntype = \"f32\"\nextent = \"n\"\n"
      "direction = \"out\"\n[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n"
      "extern \"C\" __global__ void test(float* P, int n) {\n"
      "  __shared__ float line[256]; int t = threadIdx.x, i = 256 * blockIdx.x + t;\n"
      "  if (i >= n) return;\n  line[t] = i; float sum = 0; int live = min(256, n - (i - t));\n"
      "  for (int k = 0; k < 3; ++k) { __syncthreads(); sum += line[(t + k) % live]; }\n"
      "  P[i] = sum;\n}\n",
      {{"n", 300}});
  ASSERT_TRUE(job.ok()) << toString(job.error());
  for (const Dim3& block : {Dim3{0, 0, 0}, Dim3{1, 0, 0}}) expectSame(*job, block);
}

// The interpreter's recording ends at its size limit, and so must this one, because the order of
// warps in it is the same.
TEST_F(LogReplay, IsCutAtTheSameEventAsTheInterpreters) {
  const auto tiled = valueOrThrow(
      maker_->shipped("matmul_tiled", {{"m", 64}, {"n", 64}, {"k", 64}}, {{"TILE_WIDTH", 16}}, {}));
  for (const size_t cap : {size_t{0}, size_t{1000}, size_t{100000}}) {
    expectSame(tiled, {1, 1, 0}, 0, cap);
  }
  // Without barriers, the warps take turns after a fixed number of steps.
  const auto naive = valueOrThrow(maker_->shipped(
      "matmul_naive", {{"m", 16}, {"n", 16}, {"k", 40000}}, {{"BLOCK_X", 16}, {"BLOCK_Y", 4}}, {}));
  expectSame(naive, {0, 1, 0}, 1 << 18, size_t{20} << 20);
}

/// A kernel of `blocks` basic blocks. Each thread of one warp takes its own path through them: each
/// block stores to a word of its thread and then continues, returns, or branches forwards or, while
/// the thread has iterations left, backwards.
std::string randomFlow(uint64_t seed, uint32_t blocks) {
  std::mt19937_64 random(seed);
  const auto below = [&random](uint64_t limit) { return std::to_string(random() % limit); };
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry test(.param .u64 M, .param .u64 N, .param .u64 P) {\n"
      ".reg .pred %p<3>; .reg .b32 %r<6>;\n"
      ".reg .b64 %rd<4>;\nld.param.u64 %rd1, [P]; mov.u32 %r1, %tid.x; mov.u32 %r2, 4;\n"
      "mul.wide.u32 %rd2, %r1, 64; add.s64 %rd1, %rd1, %rd2;\n";
  for (uint32_t b = 0; b < blocks; ++b) {
    const std::string name = std::to_string(b);
    text += "B" + name + ": st.global.u32 [%rd1+" + std::to_string(4 * b) + "], " + name + ";\n";
    // Selects some lanes: those with a bit set, or those below a bound.
    const std::string bit = below(5), value = below(2), bound = below(32);
    text += random() % 2 == 0 ? "shr.u32 %r3, %r1, " + bit + "; and.b32 %r3, %r3, 1;\n" +
                                    "setp.eq.u32 %p1, %r3, " + value + ";\n"
                              : "setp.lt.u32 %p1, %r1, " + bound + ";\n";
    const std::string ahead = "B" + std::to_string(b + 1 + random() % (blocks - b));
    switch (random() % 8) {
      case 0:
        text += "bra " + ahead + ";\n";
        break;
      case 1:
        text += "@%p1 ret;\n";
        break;
      case 2:
        text += "sub.u32 %r2, %r2, 1; setp.gt.and.s32 %p2, %r2, 0, %p1; @%p2 bra B" + below(b + 1) +
                ";\n";
        break;
      case 3:
        break;
      default:
        text += "@%p1 bra " + ahead + ";\n";
    }
  }
  return text + "B" + std::to_string(blocks) + ": st.global.u32 [%rd1+60], 99;\nret;\n}\n";
}

TEST_F(LogReplay, FollowsRandomFlowAsTheInterpreterDoes) {
  for (uint64_t seed = 0; seed < 2000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto job = valueOrThrow(
        maker_->fromPtx(randomFlow(seed, 6 + seed % 9), {"test", {1, 1, 1}, {32, 1, 1}}, 512));
    expectSame(job, {0, 0, 0}, 1 << 10);
  }
}

/// A log that the tests damage.
class DamagedLog : public LogReplay {
 protected:
  void SetUp() override {
    job_ = valueOrThrow(
        maker_->shipped("matmul_tiled", {{"m", 7}, {"n", 7}, {"k", 7}}, {{"TILE_WIDTH", 8}}, {}));
    tracing_ = ptx::instrumentTrace(*job_.module, job_.launches.front()).value();
    StandIn machine(job_, 1 << 9);
    launch_ = machine.launch({0, 0, 0});
    logs_ = machine.run(tracing_, {0, 0, 0}).value();
  }

  [[nodiscard]] Result<trace::BlockTrace> replay() const {
    return recordingOf(launch_, tracing_.log, logs_);
  }

  device::Job job_;
  ptx::Tracing tracing_;
  TracedLaunch launch_;
  ThreadLogs logs_;
};

TEST_F(DamagedLog, IsRefusedIfPartsAreMissing) {
  ASSERT_TRUE(replay().ok());
  const ThreadLogs whole = logs_;
  logs_.words.pop_back();
  EXPECT_FALSE(replay().ok());
  logs_ = whole;
  logs_.wanted.pop_back();
  EXPECT_FALSE(replay().ok());
  logs_ = whole;
  logs_.addresses.clear();
  EXPECT_FALSE(replay().ok());
  logs_ = whole;
  logs_.room = 0;  // Nothing fits, so nothing is known.
  ASSERT_TRUE(replay().ok());
  EXPECT_TRUE(replay()->truncated());
  EXPECT_EQ(replay()->size(), 0U);
  logs_ = whole;
  logs_.words[0].resize(logs_.words[0].size() / 64);
  EXPECT_FALSE(replay().ok());
}

TEST_F(DamagedLog, IsRefusedIfThreadsStopOrContinue) {
  logs_.wanted[5] -= 1;
  EXPECT_TRUE(fails(replay(), "does not follow its program"));
  logs_.wanted[5] += 3;
  EXPECT_FALSE(replay().ok());
  logs_.wanted[5] = ~uint64_t{0};  // A log that was far too long is truncated, not damaged.
  const auto cut = replay();
  EXPECT_TRUE(!cut.ok() || cut->truncated());
}

// A log with any content is refused, or becomes a valid recording.
TEST_F(DamagedLog, NeverBreaksAnything) {
  const ThreadLogs whole = logs_;
  size_t refused = 0;
  uint64_t state = 1;
  const auto next = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return state >> 33;
  };
  for (int round = 0; round < 2000; ++round) {
    logs_ = whole;
    for (uint64_t n = next() % 4 + 1; n > 0; --n) {
      auto& words = logs_.words[next() % logs_.words.size()];
      uint32_t& word = words[next() % (words.size() / 4)];
      switch (next() % 4) {
        case 0:
          word ^= 1U << next() % 32;
          break;
        case 1:
          word = static_cast<uint32_t>(next());
          break;
        case 2:
          word = words[next() % words.size()];
          break;
        default:
          logs_.wanted[next() % logs_.wanted.size()] = next() % 600;
      }
    }
    const auto made = replay();
    if (!made.ok()) {
      ++refused;
      continue;
    }
    EXPECT_TRUE(trace::BlockTrace::fromColumns(made->columns()).ok());
  }
  EXPECT_GT(refused, 100U);
}

}  // namespace tilestep::cuda::log_replay_test
