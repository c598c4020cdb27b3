// SPDX-License-Identifier: Apache-2.0
// The GPU's recording of a block compared with the interpreter's, event for event, and its
// overhead.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "device/cuda/measure/measure.h"
#include "device/cuda/trace/tracing.h"
#include "gpu/trace_cases.h"
#include "support/results.h"

namespace tilestep::cuda::trace_test {

using compile::Bindings;
using device::Job;
using device::Outcome;
using test::TraceCase;

double msSince(std::chrono::steady_clock::time_point begun) {
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begun;
  return passed.count();
}

class Tracing : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    gpu_ = test::openFirstGpu().release();
    maker_ = new test::JobMaker();
    if (gpu_ == nullptr) return;
    const auto driver = Driver::open();
    ASSERT_TRUE(driver.ok());
    const auto context = valueOrThrow(Context::open(*driver, 0));
    context_ = context;
  }
  static void TearDownTestSuite() {
    delete gpu_;
    delete maker_;
    context_.reset();
  }

  /// Outputs of the plain and the traced program, and the recording, on the GPU.
  struct Both {
    std::vector<std::vector<std::byte>> plain, traced;
    trace::BlockTrace recording;
  };
  static Result<Both> both(const Job& job) {
    const device::Cancelled never;
    FillCache fills;
    if (Status s = context_->use(); !s) return s.error();
    Result<Operands> operands = Operands::make(context_, job, fills);
    if (!operands) return operands.error();
    Result<Execution> execution = Execution::start(context_, 60, never, "the test");
    if (!execution) return execution.error();
    const Result<Program> plain = Program::load(context_, job.ptx, job.launches, gpu_->info());
    if (!plain) return plain.error();
    Result<TracingProgram> tracing = TracingProgram::load(context_, job, gpu_->info(), *plain);
    if (!tracing) return tracing.error();
    std::vector<void*> parameters = operands->parameters();
    Both both;
    for (const bool traced : {false, true}) {
      Status s = operands->bind(traced ? tracing->program().module() : plain->module());
      if (s) s = operands->prepare(execution->stream(), kFirstPoison);
      if (s) {
        s = traced ? tracing->run(*execution, *operands)
                   : plain->launch(execution->stream(), parameters);
      }
      if (s) s = execution->finish();
      if (!s) return s.error();
      auto outputs = operands->outputs();
      if (!outputs) return outputs.error();
      (traced ? both.traced : both.plain) = std::move(*outputs);
    }
    Result<trace::BlockTrace> recording = tracing->read(*operands);
    if (!recording) return recording.error();
    both.recording = std::move(*recording);
    return both;
  }

  static void expectSame(Job job, Dim3 block) {
    SCOPED_TRACE("block " + std::to_string(block.x) + "," + std::to_string(block.y));
    job.traceBlock = block;
    const Both made = valueOrThrow(both(job));
    EXPECT_TRUE(made.plain == made.traced) << "tracing changed the result";
    job.tracedBlockOnly = true;
    const Result<Outcome> wanted = device::openSimt(1)->run(job, {});
    ASSERT_TRUE(wanted.ok()) << toString(wanted.error());
    ASSERT_TRUE(wanted->faults.empty()) << wanted->faults.front().message;
    EXPECT_TRUE(test::sameRecordings(made.recording, *wanted->trace));
    EXPECT_EQ(made.recording.device, "cuda:0");
    events_ += made.recording.size();
    ++recordings_;
  }

  static inline device::Device* gpu_ = nullptr;
  static inline test::JobMaker* maker_ = nullptr;
  static inline ContextPtr context_;
  static inline size_t events_ = 0, recordings_ = 0;
};

TEST_F(Tracing, EqualsTheInterpreterEventForEvent) {
  TILESTEP_NEED_GPU(gpu_);
  for (const TraceCase& c : test::traceCases(true)) {
    SCOPED_TRACE(test::nameOf(c));
    const auto job =
        valueOrThrow(maker_->shipped(c.kernel, c.sizes, c.tunables, gpu_->info().limits));
    for (const Dim3& block : test::blocksOf(job.launches.front().grid)) expectSame(job, block);
  }
  std::printf("%zu recordings, %zu events, all equal where nothing is said above\n", recordings_,
              events_);
}

TEST_F(Tracing, KnowsWidthsVectorsGenericAddressesAndDivergence) {
  TILESTEP_NEED_GPU(gpu_);
  const auto job = valueOrThrow(maker_->fromText(test::mixedKernel(), {{"n", 1000}}));
  for (const Dim3& block : test::blocksOf(job.launches.front().grid)) expectSame(job, block);
}

// The interpreter's recording ends at its size limit, and the GPU's ends at the same event.
TEST_F(Tracing, IsCutAtTheSameEventAsTheInterpreters) {
  TILESTEP_NEED_GPU(gpu_);
  const auto job =
      valueOrThrow(maker_->shipped("matmul_tiled", {{"m", 64}, {"n", 64}, {"k", 20000}},
                                   {{"TILE_WIDTH", 32}}, gpu_->info().limits));
  expectSame(job, {1, 1, 0});
}

// Through the device, as in the lab.
TEST_F(Tracing, IsPartOfTheOutcome) {
  TILESTEP_NEED_GPU(gpu_);
  auto job = valueOrThrow(maker_->shipped("matmul_tiled", {{"m", 64}, {"n", 64}, {"k", 64}},
                                          {{"TILE_WIDTH", 16}}, gpu_->info().limits));
  job.traceBlock = Dim3{3, 2, 0};
  job.counters = true;
  job.check = true;
  const Result<Outcome> outcome = gpu_->run(job, {});
  ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
  ASSERT_TRUE(outcome->trace != nullptr) << outcome->traceNote;
  EXPECT_EQ(outcome->traceFrom, "cuda:0");
  EXPECT_TRUE(outcome->traceNote.empty());
  ASSERT_TRUE(outcome->traceOverhead.has_value());
  EXPECT_GT(*outcome->traceOverhead, 0.0);
}

// A kernel that the GPU cannot trace still has an outcome, with the reason.
TEST_F(Tracing, ReportsWhyThereIsNone) {
  TILESTEP_NEED_GPU(gpu_);
  auto job = valueOrThrow(maker_->shipped("matmul_tiled", {{"m", 64}, {"n", 64}, {"k", 64}},
                                          {{"TILE_WIDTH", 16}}, gpu_->info().limits));
  job.traceBlock = Dim3{4, 0, 0};
  const Outcome outcome = valueOrThrow(gpu_->run(job, {}));
  EXPECT_FALSE(outcome.trace != nullptr);
  EXPECT_TRUE(has(outcome.traceNote, "not in the grid"));
}

// The overhead of a trace. In a small grid, the traced block is most of the work, so no bound is
// checked.
TEST_F(Tracing, OverheadOfATrace) {
  TILESTEP_NEED_GPU(gpu_);
  struct Row {
    const char* kernel;
    Bindings tunables;
  };
  const std::vector<Row> rows = {{"matmul_naive", {{"BLOCK_X", 16}, {"BLOCK_Y", 16}}},
                                 {"matmul_naive", {{"BLOCK_X", 32}, {"BLOCK_Y", 8}}},
                                 {"matmul_tiled", {{"TILE_WIDTH", 4}}},
                                 {"matmul_tiled", {{"TILE_WIDTH", 8}}},
                                 {"matmul_tiled", {{"TILE_WIDTH", 16}}},
                                 {"matmul_tiled", {{"TILE_WIDTH", 32}}},
                                 {"matmul_tiled_dynamic", {{"TILE_WIDTH", 16}}},
                                 {"matmul_tiled_free", {}},
                                 {"matmul_tiled_swapped", {{"TILE_WIDTH", 32}, {"PAD", 0}}}};
  const device::Cancelled never;
  MeasureTools tools;
  for (const int64_t size : {256, 1024, 2048, 4096}) {
    for (const Row& row : rows) {
      auto job = valueOrThrow(maker_->shipped(row.kernel, {{"m", size}, {"n", size}, {"k", size}},
                                              row.tunables, gpu_->info().limits));
      job.traceBlock = Dim3{1, 1, 0};
      ASSERT_TRUE(context_->use().ok());
      FillCache fills;
      auto operands = valueOrThrow(Operands::make(context_, job, fills));
      auto execution = Execution::start(context_, 60, never, row.kernel);
      ASSERT_TRUE(execution.ok());
      const auto plain = Program::load(context_, job.ptx, job.launches, gpu_->info());
      ASSERT_TRUE(plain.ok()) << toString(plain.error());
      auto begun = std::chrono::steady_clock::now();
      auto tracing = valueOrThrow(TracingProgram::load(context_, job, gpu_->info(), *plain));
      const double loadMs = msSince(begun);
      ASSERT_TRUE(operands.prepare(execution->stream(), kFirstPoison).ok());
      ASSERT_TRUE(tracing.run(*execution, operands).ok());
      begun = std::chrono::steady_clock::now();
      const auto recording = tracing.read(operands);
      const double readMs = msSince(begun);
      ASSERT_TRUE(recording.ok()) << toString(recording.error());
      const auto price = tracing.price(*execution, *plain, operands);
      ASSERT_TRUE(price.ok()) << toString(price.error());
      const auto plainTime = measure(*execution, *plain, operands, gpu_->info(), tools, false);
      ASSERT_TRUE(plainTime.ok());
      if (size >= 1024) {
        EXPECT_LT(*price, 2.5) << row.kernel << " " << size;
      }
      std::printf(
          "%-21s%4d  plain %8.4f ms  price x %5.2f  registers %u and %u, local %u  "
          "%7zu events%s  loading %4.0f ms, reading %4.0f ms ",
          row.kernel, static_cast<int>(size), plainTime->medianMs, *price, plain->registers(),
          tracing.program().registers(), tracing.program().localBytes(), recording->size(),
          recording->truncated() ? " (cut)" : "", loadMs, readMs);
      for (const auto& [name, value] : row.tunables) {
        std::printf(" %s=%d", name.c_str(), static_cast<int>(value));
      }
      std::printf("\n");
    }
  }
}

}  // namespace tilestep::cuda::trace_test
