// SPDX-License-Identifier: Apache-2.0
// Every rung of the ladder in the interpreter: equal to float64 at odd sizes, in any order of
// blocks and warps, without hazards and faults.
#include "support/ladder.h"

#include <gtest/gtest.h>

#include "lab/lab.h"
#include "lab/recording/recording.h"
#include "lab/tune/tuned.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::system_test::ladder_test {

using support::Shape;

class LadderRung : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(lab_.compiler()) << lab_.compiler().error().message;
    for (support::Rung& rung : support::ladder(support::sourceRoot())) {
      if (rung.spec.name == GetParam()) rung_ = std::move(rung);
    }
  }

  void expectRight(const Shape& shape, const compile::Bindings& tunables, uint64_t seed,
                   uint64_t order) {
    SCOPED_TRACE(support::toText(shape.sizes(), tunables) + " seed " + std::to_string(seed) +
                 " order " + std::to_string(order));
    lab::Experiment experiment;
    experiment.source = rung_.source;
    experiment.sizes = shape.sizes();
    experiment.tunables = tunables;
    experiment.device = "simt";
    experiment.seed = seed;
    experiment.order = order;
    experiment.check = true;
    const auto result = valueOrThrow(lab_.run(experiment, [] { return false; }, {}));
    ASSERT_TRUE(result.check);
    EXPECT_TRUE(result.check->ok) << result.check->scaledError << " of " << result.check->bound
                                  << ", unwritten " << result.check->unwritten;
    for (const device::Fault& fault : result.faults) ADD_FAILURE() << fault.message;
    ASSERT_TRUE(result.hazards);
    for (const device::Hazard& hazard : *result.hazards) ADD_FAILURE() << hazard.message;
  }

  lab::Lab lab_{{support::sourceRoot(), "", 1}};
  support::Rung rung_;
};

TEST_P(LadderRung, IsRightAtOddSizesInAnyOrder) {
  uint64_t each = 0;
  for (const Shape& shape : support::kOddShapes) {
    if (shape.m * shape.n * shape.k > 1'200'000) continue;  // The GPU's tests run the larger sizes.
    ++each;
    expectRight(shape, {}, each, each % 3);
  }
}

TEST_P(LadderRung, IsRightWithOtherTunables) {
  constexpr size_t kCombinations = 4;
  uint64_t seed = 0;
  for (const auto& tunables : support::legalTunables(rung_.spec, {}, kCombinations)) {
    ++seed;
    expectRight({33, 37, 35}, tunables, seed, seed);
    expectRight({36, 68, 20}, tunables, seed, 0);
  }
}

class SharedTiles : public LadderRung {};

// If blocks share tiles, a block adds to the sums that another block left in P. Tests several
// blocks per tile and several tiles per block.
TEST_P(SharedTiles, AreRight) {
  for (const auto& tunables : support::sharingTunables(rung_.spec)) {
    for (uint64_t order = 0; order < 4; ++order) {
      expectRight({131, 133, 200}, tunables, 5 + order, order);
      expectRight({64, 70, 530}, tunables, 5 + order, order);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ladder, LadderRung,
                         testing::ValuesIn(support::ladderNames(support::sourceRoot())),
                         [](const auto& of) { return of.param; });
INSTANTIATE_TEST_SUITE_P(Ladder, SharedTiles,
                         testing::ValuesIn(support::sharingNames(support::sourceRoot())),
                         [](const auto& of) { return of.param; });

TEST(Ladder, EveryRungParsesAndIsCheckedAgainstAProduct) {
  std::vector<std::string> unreadable;
  const auto rungs = support::ladder(support::sourceRoot(), &unreadable);
  EXPECT_GE(rungs.size(), 13U);
  for (const std::string& error : unreadable) ADD_FAILURE() << error;
  for (const support::Rung& rung : rungs) {
    EXPECT_TRUE(rung.spec.reference == "matmul" || rung.spec.reference == "matmul_tf32")
        << rung.spec.name;
    EXPECT_FALSE(rung.spec.operations.empty()) << rung.spec.name;
  }
}

/// After a change of the rung, its tunables must be searched again, because the shipped tunables
/// are no longer found.
TEST(Ladder, ShippedTunablesBelongToTheCurrentTopRung) {
  size_t looked = 0;
  for (const support::Rung& rung : support::ladder(support::sourceRoot())) {
    if (rung.spec.name != "rung13_top" && rung.spec.name != "rung14_tf32") continue;
    ++looked;
    const compile::Bindings sizes{{"m", 4096}, {"n", 4096}, {"k", 4096}};
    const lab::DeviceTuned known =
        lab::readTuned(nullptr, support::sourceRoot() + "/assets/tuned", "NVIDIA H200");
    EXPECT_EQ(known.damage, "");
    const auto best =
        lab::bestTuned(rung.spec, lab::programHashOf(rung.source, rung.spec), sizes, known);
    ASSERT_TRUE(best) << rung.spec.name;
    EXPECT_EQ(best->sizes, sizes);
  }
  EXPECT_EQ(looked, 2U);
}

}  // namespace tilestep::system_test::ladder_test
