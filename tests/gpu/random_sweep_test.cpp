// SPDX-License-Identifier: Apache-2.0
// 500 experiments drawn from one seed: any kernel, sizes of 1 to 300 (of arrays to 20,000), and
// tunables over their whole legal range. The GPU's counts equal the interpreter's exactly. Divided
// into parts that several processes can share (GTEST_TOTAL_SHARDS), because compilers take most of
// the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "gpu/gpu_job.h"
#include "gpu/same_counts.h"
#include "support/results.h"

namespace tilestep::test::random_sweep_test {

constexpr int kParts = 50;
constexpr int kExperimentsPerPart = 10;

const std::vector<std::string> kKernels = {"matmul_naive",
                                           "matmul_in_memory",
                                           "matmul_tiled",
                                           "matmul_tiled_dynamic",
                                           "matmul_tiled_free",
                                           "matmul_tiled_swapped",
                                           "matrix_sum",
                                           "transpose",
                                           "reduce_neighbored",
                                           "reduce_neighbored_less",
                                           "reduce_interleaved",
                                           "reduce_unroll2",
                                           "reduce_unroll8",
                                           "reduce_unroll_warp",
                                           "reduce_unroll_complete",
                                           "reduce_templated",
                                           "reduce_global_neighbored",
                                           "reduce_global_neighbored_less",
                                           "reduce_global_interleaved",
                                           "branch_thread_parity",
                                           "branch_warp_parity",
                                           "branch_predicate",
                                           "scan_block",
                                           "scan_block_efficient",
                                           "convolution_naive",
                                           "convolution_tiled",
                                           "histogram_global",
                                           "histogram_shared",
                                           "matmul_coarsened"};

/// Random numbers that are the same with every standard library, unlike those of its distributions.
class Draw {
 public:
  explicit Draw(uint32_t seed) : engine_(seed) {}
  uint64_t below(uint64_t n) { return engine_() % n; }
  /// 1 to `most`; each doubling is as likely.
  int64_t size(int64_t most) {
    const double share = static_cast<double>(below(1U << 24)) / (1U << 24);
    const auto drawn = static_cast<int64_t>(std::exp2(share * std::log2(most + 1.0)));
    return std::clamp<int64_t>(drawn, 1, most);
  }

 private:
  std::mt19937_64 engine_;
};

int64_t valueOf(const compile::TunableSpec& tunable, Draw& draw) {
  if (!tunable.values.empty()) return tunable.values[draw.below(tunable.values.size())];
  return tunable.minimum + draw.size(tunable.maximum - tunable.minimum + 1) - 1;
}

struct Experiment {
  std::string kernel;
  compile::Bindings sizes, tunables;
};

/// An experiment that the kernel's rules and the device's limits allow.
Experiment experiment(JobMaker& maker, Draw& draw, const Limits& limits) {
  Experiment drawn;
  drawn.kernel = kKernels[draw.below(kKernels.size())];
  const Result<compile::KernelSpec> found = maker.spec(drawn.kernel);
  if (!found) return drawn;
  const compile::KernelSpec& spec = *found;
  do {
    const bool array = spec.sizes.size() == 1;
    for (const auto& [name, value] : spec.sizes) drawn.sizes[name] = draw.size(array ? 20000 : 300);
    for (const auto& tunable : spec.tunables) drawn.tunables[tunable.name] = valueOf(tunable, draw);
  } while (!compile::plan(spec, drawn.sizes, drawn.tunables, limits).ok());
  return drawn;
}

std::string nameOf(const Experiment& e) {
  std::string name = e.kernel;
  for (const auto& [key, value] : e.sizes) name += " " + key + "=" + std::to_string(value);
  for (const auto& [key, value] : e.tunables) name += " " + key + "=" + std::to_string(value);
  return name;
}

class RandomSweep : public ::testing::TestWithParam<int> {};

TEST_P(RandomSweep, CountsEqualInterpreter) {
  const auto gpu = openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  JobMaker maker;
  Draw draw(20260301U + static_cast<uint32_t>(GetParam()));
  for (int i = 0; i < kExperimentsPerPart; ++i) {
    const Experiment e = experiment(maker, draw, gpu->info().limits);
    SCOPED_TRACE(nameOf(e));
    const device::Job job =
        valueOrThrow(maker.shipped(e.kernel, e.sizes, e.tunables, gpu->info().limits));
    // Its registers may allow fewer threads than the limits known before compilation.
    const Result<device::Outcome> plain = gpu->run(job, {});
    if (!plain.ok() && plain.error().kind == ErrorKind::request) continue;
    expectSameCounts(*gpu, job);
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, RandomSweep, ::testing::Range(0, kParts));

}  // namespace tilestep::test::random_sweep_test
