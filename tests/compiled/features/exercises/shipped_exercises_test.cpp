// SPDX-License-Identifier: Apache-2.0
// The shipped exercises. Each listing fails as its file says, and the fixed versions in
// tests/exercises/fixed pass at the hidden launches. The versions in tests/exercises/wrong fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "compile/front_matter/front_matter.h"
#include "features/exercises/attempt.h"
#include "lab/lab.h"
#include "model/files/exercise_file.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::features::shipped_exercises_test {

const std::string kHome = support::sourceRoot();

std::vector<Exercise> exercises() {
  std::vector<Error> errors;
  std::vector<Exercise> all = readExercises(kHome, &errors);
  for (const Error& error : errors) ADD_FAILURE() << toString(error);
  return all;
}

std::vector<std::string> ids(const std::string& folder = "/assets/exercises") {
  std::vector<std::string> ids;
  for (const auto& file : std::filesystem::directory_iterator(kHome + folder))
    ids.push_back(file.path().stem().string());
  std::ranges::sort(ids);
  return ids;
}

class ShippedExercise : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    for (Exercise& one : exercises())
      if (one.id == GetParam()) exercise_ = std::move(one);
    ASSERT_EQ(exercise_.id, GetParam());
  }

  /// Judges a version of the listing at all hidden launches.
  lab::Judgement judged(const std::string& text) {
    lab::Lab interpreter({kHome, "", 2});
    lab::Judgement judgement;
    compile::CatalogueEntry entry;
    entry.source = {exercise_.id + ".cu", text, {}};
    const auto kernel = compile::withSpec(entry.source, exercise_.spec);
    if (kernel)
      entry.source = kernel->source;
    else
      entry.error = kernel.error();
    Attempt attempt(exercise_, entry);
    while (const std::optional<lab::Experiment> next = attempt.next(exercise_)) {
      const Result<lab::RunResult> result = interpreter.run(*next, {}, {});
      if (result) {
        judgement.add(*result);
        attempt.take(*result);
      } else {
        judgement.add(result.error());
        attempt.take(result.error());
      }
    }
    view_ = attempt.view();
    return judgement;
  }

  Exercise exercise_;
  AttemptView view_;
};

TEST_P(ShippedExercise, TheListingFailsAsItsFileSays) {
  const lab::Judgement judgement = judged(exercise_.listing);
  std::set<std::string> found, said;
  for (const lab::Criterion one : judgement.failures()) found.insert(lab::nameOf(one));
  for (const lab::Criterion one : exercise_.fails) said.insert(lab::nameOf(one));
  EXPECT_EQ(found, said) << view_.text;
  EXPECT_EQ(judgement.unknown(), "");
  EXPECT_EQ(view_.state, AttemptView::State::failed);
}

TEST_P(ShippedExercise, TheFixedVersionPasses) {
  const auto fixed =
      valueOrThrow(readTextFile(kHome + "/tests/exercises/fixed/" + exercise_.id + ".cu"));
  (void)judged(fixed);
  EXPECT_EQ(view_.state, AttemptView::State::passed) << view_.text;
}

TEST_P(ShippedExercise, NoMessageRevealsTheBug) {
  lab::Lab interpreter({kHome, "", 2});
  Attempt attempt(exercise_, {listingOf(exercise_)->source, {}, {}});
  while (const std::optional<lab::Experiment> next = attempt.next(exercise_)) {
    const auto result = interpreter.run(*next, {}, {});
    if (!result) attempt.take(result.error());
    if (result) attempt.take(*result);
    if (!result || !result->hazards) continue;
    for (const device::Hazard& hazard : *result->hazards)
      for (const char* advice : {"missing", "barrier", "atomic", "sync"})
        EXPECT_FALSE(has(hazard.message, advice));
  }
}

TEST_P(ShippedExercise, ItsFileIsComplete) {
  const auto listing = valueOrThrow(listingOf(exercise_));
  EXPECT_TRUE(listing.spec.assumed.empty()) << "nothing is left to be assumed";
  EXPECT_GE(exercise_.hints.size(), 2U);
  EXPECT_GE(exercise_.hidden.size(), 3U);
  EXPECT_FALSE(has(exercise_.listing, "---"));
  EXPECT_TRUE(compile::isCheckable(exercise_.spec.kernel));
}

INSTANTIATE_TEST_SUITE_P(All, ShippedExercise, testing::ValuesIn(ids()),
                         [](const auto& one) { return one.param; });

class WrongFix : public ShippedExercise {};

TEST_P(WrongFix, Fails) {
  const auto wrong =
      valueOrThrow(readTextFile(kHome + "/tests/exercises/wrong/" + exercise_.id + ".cu"));
  const lab::Judgement judgement = judged(wrong);
  EXPECT_TRUE(judgement.failed(lab::Criterion::result)) << view_.text;
  EXPECT_EQ(judgement.launchesThatFailed(lab::Criterion::result), exercise_.hidden.size());
  EXPECT_EQ(judgement.failures().size(), 1U) << view_.text;
}

INSTANTIATE_TEST_SUITE_P(All, WrongFix, testing::ValuesIn(ids("/tests/exercises/wrong")),
                         [](const auto& one) { return one.param; });

TEST(ShippedExercises, AreNumberedAndNotNamedLikeAKernel) {
  const std::vector<Exercise> all = exercises();
  ASSERT_GE(all.size(), 5U);
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].number, static_cast<int>(i + 1));
  const std::vector<std::string> names = ids();
  for (const compile::CatalogueEntry& kernel : compile::readCatalogue(kHome + "/kernels"))
    EXPECT_FALSE(std::ranges::binary_search(names, compile::stemOf(kernel.source.path)));
}

}  // namespace tilestep::features::shipped_exercises_test
