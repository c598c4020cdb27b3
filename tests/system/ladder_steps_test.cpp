// SPDX-License-Identifier: Apache-2.0
// Every rung of the ladder can be stepped through: the window shows all data from the loads to the
// product. Uses traces of the interpreter.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "features/scene/sum_places.h"
#include "lab/lab.h"
#include "model/scene/traced_kernel.h"
#include "model/text/step_summary.h"
#include "support/ladder.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::system_test::ladder_steps_test {

using model::TracedKernel;
using support::Shape;
using trace::StepGranularity;

constexpr int16_t kM = 0, kN = 1;

class LadderSteps : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(lab_.compiler()) << lab_.compiler().error().message;
    for (support::Rung& rung : support::ladder(support::sourceRoot())) {
      if (rung.spec.name == GetParam()) entry_ = {rung.source, rung.spec, {}};
    }
    ASSERT_TRUE(entry_.spec);
  }

  /// The smallest legal tiles, which keep traces short.
  [[nodiscard]] compile::Bindings smallTiles() const {
    compile::Bindings small;
    for (const compile::TunableSpec& tunable : entry_.spec->tunables) {
      if (tunable.name.starts_with("TILE_")) small[tunable.name] = smallest(tunable);
      if (tunable.name.starts_with("WARP_")) small[tunable.name] = smallest(tunable);
      if (tunable.name.starts_with("BLOCK_")) small[tunable.name] = 8;
      if (tunable.name == "ROWS" || tunable.name == "COLS") small[tunable.name] = 4;
    }
    if (small.contains("TILE_WIDTH")) small["TILE_WIDTH"] = 8;
    const auto legal = [&] { return compile::plan(*entry_.spec, {}, small, {}).ok(); };
    for (const auto& tunable : entry_.spec->tunables) {
      if (legal()) break;
      small[tunable.name] = tunable.defaultValue;
    }
    return legal() ? small : compile::Bindings{};
  }

  static int64_t smallest(const compile::TunableSpec& tunable) {
    return tunable.values.empty() ? tunable.minimum : tunable.values.front();
  }

  void open(const Shape& shape, const compile::Bindings& tunables, Dim3 block) {
    SCOPED_TRACE(support::toText(shape.sizes(), tunables));
    shape_ = shape;
    lab::Experiment experiment;
    experiment.source = entry_.source;
    experiment.sizes = shape.sizes();
    experiment.tunables = tunables;
    experiment.device = "simt";
    experiment.traceBlock = block;
    auto result = valueOrThrow(lab_.run(experiment, [] { return false; }, {}));
    side_ = model::traceKernel(entry_, lab::shared(std::move(result)), 1, 8);
    ASSERT_TRUE(side_);
    EXPECT_FALSE(side_->replay->recording().truncated());
    EXPECT_FALSE(side_->replay->recording().uneven);
  }

  [[nodiscard]] const trace::Replay& replay() const { return *side_->replay; }

  /// Every phase of the loop is a step and adds to sums. Everything that the loop needs was loaded
  /// by some thread; with tiles, each element once per block.
  void expectWholePhases() {
    const size_t steps = replay().size(StepGranularity::phase);
    std::vector<uint32_t> phases;
    std::set<std::pair<int16_t, uint32_t>> loaded;
    for (size_t i = 0; i < steps; ++i) {
      const trace::Step step = replay().step(StepGranularity::phase, i);
      const trace::Activity activity = replay().activityOf(StepGranularity::phase, i);
      for (const trace::GlobalLoad& load : activity.globalLoads) {
        loaded.insert({load.from.buffer, load.from.offset});
        if (isTiled()) {
          EXPECT_TRUE(load.to) << "an element that goes to no slot";
        }
      }
      if (!step.phase) continue;
      phases.push_back(*step.phase);
      EXPECT_EQ(activity.accumulates.empty(), !hasSums()) << "phase " << *step.phase;
      if (isTiled()) {
        EXPECT_FALSE(activity.sharedReads.empty()) << *step.phase;
      }
    }
    const auto length = static_cast<uint32_t>(model::phaseLengthOf(*side_));
    if (length > 0) {
      EXPECT_EQ(phases.size(), (static_cast<uint32_t>(shape_.k) + length - 1) / length);
    }
    EXPECT_FALSE(phases.empty());
    for (uint32_t i = 0; i < phases.size(); ++i) EXPECT_EQ(phases[i], i);
    expectAllLoaded(loaded);
  }

  /// Expects loads of the rows of M and columns of N for every element that the block computes.
  void expectAllLoaded(const std::set<std::pair<int16_t, uint32_t>>& loaded) {
    size_t missing = 0;
    const auto n = static_cast<uint32_t>(shape_.n), k = static_cast<uint32_t>(shape_.k);
    for (const trace::OutputElement& element : side_->end.outputs) {
      const uint32_t row = element.place.offset / 4 / n, column = element.place.offset / 4 % n;
      for (uint32_t i = 0; i < k; ++i) {
        missing += !loaded.contains({kM, 4 * (row * k + i)});
        missing += !loaded.contains({kN, 4 * (i * n + column)});
      }
    }
    EXPECT_EQ(missing, 0U) << "elements that nobody loaded";
  }

  /// Checked with every compiler, because a sum in local memory would not be recognised.
  [[nodiscard]] bool hasSums() const {
    const bool any = side_->replay->recording().accumulators > 0;
    EXPECT_TRUE(any) << "no sum is recognised";
    return any;
  }

  [[nodiscard]] bool isTiled() const { return !side_->replay->recording().sharedArrays.empty(); }

  /// A value read from a slot was stored there before. If the value is an element of M or N, it is
  /// the element that the slot names.
  void expectFilledSlots() {
    size_t unfilled = 0, wrong = 0, known = 0;
    trace::BlockState before = replay().start();
    for (size_t i = 0; i < replay().size(StepGranularity::epoch); ++i) {
      const trace::BlockState after = replay().stateAfter(StepGranularity::epoch, i);
      for (const trace::Access& read : replay().activityOf(StepGranularity::epoch, i).sharedReads) {
        const trace::SharedSlot* slot = before.findShared({read.buffer, read.offset});
        if (slot == nullptr || !slot->written) {
          ++unfilled;
          continue;
        }
        if (slot->bits != read.bits) ++wrong;
        known += slot->origin.has_value();
      }
      for (const trace::SharedSlot& slot : after.shared) {
        if (!slot.origin) continue;
        if (valueAt(*slot.origin) != std::bit_cast<float>(static_cast<uint32_t>(slot.bits)))
          ++wrong;
      }
      before = after;
    }
    EXPECT_EQ(unfilled, 0U);
    EXPECT_EQ(wrong, 0U);
    if (isTiled()) {
      EXPECT_GT(known, 0U) << "no slot says which element it holds";
    }
  }

  [[nodiscard]] float valueAt(const trace::Place& place) const {
    return side_->inputs[static_cast<size_t>(place.buffer)]->at(place.offset / 4);
  }

  /// The sums become the elements of the product, and these values are stored.
  void expectTheProduct() {
    const bool tf32 = entry_.spec->reference == "matmul_tf32";
    const double root = std::sqrt(static_cast<double>(shape_.k));
    const double bound = std::ldexp(root, -22) + (tf32 ? std::ldexp(1 / root, -8) : 0);
    const auto n = static_cast<uint32_t>(shape_.n), k = static_cast<uint32_t>(shape_.k);
    ASSERT_FALSE(side_->end.outputs.empty());
    std::map<uint32_t, std::set<uint32_t>> sums;  // By thread.
    for (const trace::Accumulator& sum : side_->end.accumulators) {
      if (sum.updates > 0) sums[sum.thread].insert(static_cast<uint32_t>(sum.bits));
    }
    size_t strange = 0;
    for (const trace::OutputElement& element : side_->end.outputs) {
      ASSERT_TRUE(element.written && element.known);
      const uint32_t row = element.place.offset / 4 / n, column = element.place.offset / 4 % n;
      double sum = 0, size = 0;
      for (uint32_t i = 0; i < k; ++i) {
        const double term = static_cast<double>(valueAt({kM, 4 * (row * k + i)})) *
                            static_cast<double>(valueAt({kN, 4 * (i * n + column)}));
        sum += term;
        size += std::abs(term);
      }
      const auto bits = static_cast<uint32_t>(element.bits);
      EXPECT_LE(std::abs(static_cast<double>(std::bit_cast<float>(bits)) - sum), bound * size)
          << "P[" << row << "][" << column << "]";
      strange += hasSums() && !sums[element.writer].contains(bits);
    }
    EXPECT_EQ(strange, 0U) << "elements that are no sum of the thread that stores them";
  }

  /// If a thread has several sums, the picture arranges them like the elements that they become.
  void expectSumsAtTheirElements() {
    const uint32_t each = side_->replay->recording().accumulators;
    if (each < 2) return;
    const features::SumPlaces places = features::sumPlacesOf(*side_);
    ASSERT_TRUE(places.byElement);
    std::map<uint32_t, uint64_t> bits;  // By cell.
    for (const trace::Accumulator& sum : side_->end.accumulators) {
      const uint32_t cell = places.cells[sum.thread * each + static_cast<uint32_t>(sum.index)];
      if (cell == features::SumPlaces::kNowhere) continue;
      EXPECT_TRUE(bits.emplace(cell, sum.bits).second) << "two sums in cell " << cell;
    }
    EXPECT_EQ(bits.size(), side_->end.outputs.size());
    const auto n = static_cast<uint32_t>(shape_.n);
    for (const trace::OutputElement& element : side_->end.outputs) {
      const uint32_t row = element.place.offset / 4 / n, column = element.place.offset / 4 % n;
      const uint32_t cell = (row - places.top) * places.columns + column - places.left;
      EXPECT_EQ(bits[cell], element.bits) << "P[" << row << "][" << column << "]";
    }
  }

  /// Each step of each granularity can be shown, forwards and backwards, with a sentence.
  void expectSteps() {
    for (const StepGranularity grain : {StepGranularity::phase, StepGranularity::epoch}) {
      std::vector<trace::BlockState> states;
      const size_t count = replay().size(grain);
      for (size_t i = 0; i < count; ++i) {
        const auto step = model::makeStep(side_, grain, i);
        ASSERT_TRUE(step);
        EXPECT_FALSE(features::sentenceOf(step.get(), nullptr).empty());
        EXPECT_FALSE(model::positionOf(*step).empty());
        states.push_back(step->state);
      }
      for (size_t i = count; i-- > 0;)
        EXPECT_EQ(model::makeStep(side_, grain, i)->state, states[i]);
    }
  }

  void walk(const Shape& shape, Dim3 block) {
    open(shape, smallTiles(), block);
    if (HasFatalFailure() || !side_) return;
    expectWholePhases();
    expectFilledSlots();
    expectTheProduct();
    expectSumsAtTheirElements();
    expectSteps();
  }

  lab::Lab lab_{{support::sourceRoot(), "", 1}};
  compile::CatalogueEntry entry_;
  Shape shape_;
  std::shared_ptr<const TracedKernel> side_;
};

TEST_P(LadderSteps, LeadFromTheLoadsToTheProduct) {
  walk({64, 64, 40}, {0, 0, 0});
}

TEST_P(LadderSteps, LeadToTheProductAtTheEdges) {
  walk({37, 34, 19}, {0, 0, 0});
}

INSTANTIATE_TEST_SUITE_P(Ladder, LadderSteps,
                         testing::ValuesIn(support::ladderNames(support::sourceRoot())),
                         [](const auto& of) { return of.param; });

}  // namespace tilestep::system_test::ladder_steps_test
