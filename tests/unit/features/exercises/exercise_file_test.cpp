// SPDX-License-Identifier: Apache-2.0
#include "model/files/exercise_file.h"

#include <gtest/gtest.h>

#include <string>

#include "features/names.h"
#include "lab/judge/judgement.h"
#include "support/results.h"

namespace tilestep::features::exercise_file_test {

constexpr const char* kText =
    "/*---\n"
    "title = \"Doubles\"\n"
    "sizes = { n = 100 }\n"
    "[exercise]\n"
    "number = 3\n"
    "symptom = \"It fails.\"\n"
    "hints = [\"Look.\", \"Look again.\"]\n"
    "fails = [\"bounds\", \"result\"]\n"
    "shown = { n = 20, BLOCK = 8 }\n"
    "block = [2, 0]\n"
    "hidden = [{ n = 33 }, { n = 64, BLOCK = 16 }]\n"
    "[tunable.BLOCK]\n"
    "default = 32\n"
    "range = [1, 64]\n"
    "[launch]\n"
    "block = [\"BLOCK\"]\n"
    "grid = [\"ceildiv(n, BLOCK)\"]\n"
    "[[operand]]\n"
    "name = \"x\"\n"
    "extent = \"n\"\n"
    "direction = \"inout\"\n"
    "---*/\n"
    "\n"
    "// Doubles x.\n"
    "__global__ void doubles(float* x) {}\n";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kText;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Error refused(const std::string& text) {
  const Result<Exercise> exercise = parseExercise(text, "exercises/doubles.cu");
  EXPECT_FALSE(exercise) << text;
  return exercise ? Error{} : exercise.error();
}

TEST(ExerciseFile, ContainsListingHintsSpecAndHiddenLaunches) {
  const Exercise read = valueOrThrow(parseExercise(kText, "exercises/doubles.cu"));
  EXPECT_EQ(read.id, "doubles");
  EXPECT_EQ(read.number, 3);
  EXPECT_EQ(read.title, "Doubles");
  EXPECT_EQ(read.symptom, "It fails.");
  EXPECT_EQ(read.hints.size(), 2U);
  EXPECT_EQ(read.fails, (std::vector{lab::Criterion::bounds, lab::Criterion::result}));
  EXPECT_EQ(read.shown, (compile::LaunchChoice{{{"n", 20}}, {{"BLOCK", 8}}}));
  EXPECT_EQ(read.block, (Dim3{2, 0, 0}));
  ASSERT_EQ(read.hidden.size(), 2U);
  EXPECT_EQ(read.hidden[1], (compile::LaunchChoice{{{"n", 64}}, {{"BLOCK", 16}}}));
  EXPECT_EQ(read.listing, "// Doubles x.\n__global__ void doubles(float* x) {}\n");
  const Result<compile::SpecifiedKernel> listing = listingOf(read);
  ASSERT_TRUE(listing) << toString(listing.error());
  EXPECT_EQ(listing->spec.entryLine, 2) << "lines are relative to the listing";
  EXPECT_TRUE(listing->spec.assumed.empty());
}

struct Bad {
  const char *from, *to, *says;
  int line;
};

TEST(ExerciseFile, ErrorsReportTheLine) {
  const Bad cases[] = {
      {"number = 3", "number = 0", "from 1 to 999", 5},
      {"number = 3", "nummer = 3", "the nearest is number", 5},
      {"symptom = \"It fails.\"\n", "", "must have the key symptom", 4},
      {"symptom = \"It fails.\"", "symptom = \"\"", "is empty", 6},
      {"hints = [\"Look.\", \"Look again.\"]", "hints = []", "list of strings", 7},
      {"\"bounds\", ", "\"bonds\", ", "bonds is not a criterion", 8},
      {"n = 20, ", "m = 20, ", "no size or tunable m", 9},
      {"BLOCK = 8 }", "BLOCK = 65 }", "not legal", 9},
      {"block = [2, 0]", "block = [2]", "[x, y]", 10},
      {"hidden = [{ n = 33 }, { n = 64, BLOCK = 16 }]", "hidden = []", "1 to 12 launches", 11},
      {"{ n = 33 }", "{ n = 0 }", "not legal", 11},
      {"{ n = 33 }", "33", "a table of sizes", 11},
      {"range = [1, 64]", "range = [64, 1]", "range = [FIRST, LAST]", 14},
  };
  for (const Bad& bad : cases) {
    const Error error = refused(with(bad.from, bad.to));
    EXPECT_TRUE(has(error.message, bad.says)) << bad.to << ": ";
    ASSERT_TRUE(error.where) << bad.to;
    EXPECT_EQ(error.where->line, bad.line) << error.message;
  }
  EXPECT_TRUE(has(
      refused(with("[exercise]", "[tunable.A]\ndefault = 1\nrange = [1, 2]\n[exercise_]")).message,
      "no key exercise_"));
  EXPECT_FALSE(parseExercise("__global__ void f() {}\n", "f.cu"));
}

TEST(Judgement, ReportsFailuresWithoutDataAndSizes) {
  lab::RunResult wrong;
  wrong.check = lab::Check{"float64", 3, 1, 0, false, 0};
  wrong.hazards.emplace();
  lab::RunResult outside;
  outside.faults.push_back({"out-of-bounds", {7, {5, 0, 0}, {2, 0, 0}}, 64, 1, "x[33] of 33"});
  lab::RunResult right;
  right.check = lab::Check{"float64", 0, 1, 0, true, 0};
  lab::Judgement judgement;
  EXPECT_TRUE(judgement.clean());
  judgement.add(right);
  EXPECT_TRUE(judgement.clean());
  judgement.add(wrong);
  judgement.add(outside);
  judgement.add(outside);
  EXPECT_EQ(judgement.failures(), (std::set{lab::Criterion::result, lab::Criterion::bounds}));
  EXPECT_EQ(lab::failuresText(judgement, judgement.launches()),
            "The result is wrong, at 1 of 4 launches. An access lies outside its array, at line 7, "
            "at 2 of 4 launches.");
}

TEST(Judgement, ReportsTheFaultIfAllFailuresHaveTheSameKind) {
  const auto launch = [](bool right, const std::string& fault) {
    lab::RunResult result;
    result.check = lab::Check{"float64", right ? 0.0 : 3.0, 1, 0, right, 0};
    result.hazards.emplace();
    if (!fault.empty()) result.faults.push_back({fault, {7, {}, {}}, 64, 1, "."});
    return result;
  };
  lab::Judgement judgement;
  judgement.add(launch(true, ""));
  judgement.add(launch(false, "uninitialised-read"));
  EXPECT_EQ(lab::failuresText(judgement, 4),
            "Memory is read before it is written, at line 7, at 1 of 2 launches.");
  judgement.add(launch(false, "uninitialised-read"));
  EXPECT_EQ(judgement.whatFailed(lab::Criterion::result), "Memory is read before it is written");
  judgement.add(launch(false, ""));
  EXPECT_EQ(lab::failuresText(judgement, 4), "The result is wrong, at line 7, at 3 of 4 launches.");
  lab::Judgement bounds;
  bounds.add(launch(true, "misaligned"));
  bounds.add(launch(true, "out-of-bounds"));
  bounds.add(launch(true, "misaligned"));
  EXPECT_EQ(bounds.whatFailed(lab::Criterion::bounds),
            "An access leaves its memory or its row, or changes an input");
}

TEST(Judgement, RacesAndMissedBarriersAreFailures) {
  lab::RunResult result;
  result.check = lab::Check{"float64", 0, 1, 0, true, 0};
  result.hazards.emplace();
  result.hazards->push_back({"read-after-write", "shared", {4, {}, {}}, {9, {}, {}}, 0, 1, "."});
  lab::Judgement race;
  race.add(result);
  EXPECT_TRUE(race.failed(lab::Criterion::races));
  EXPECT_EQ(race.lineOf(lab::Criterion::races), 9);
  lab::RunResult stuck;
  stuck.faults.push_back({"deadlock", {3, {}, {}}, 0, 1, "."});
  lab::Judgement barrier;
  barrier.add(stuck);
  EXPECT_EQ(lab::failuresText(barrier, 1), "Threads wait for others that never arrive, at line 3.");
}

TEST(Judgement, ImpossibleLaunchIsReportedWithoutItsSize) {
  lab::RunResult right, refused;
  right.check = lab::Check{"float64", 0, 1, 0, true, 0};
  refused.faults.push_back(
      {"launch-refused", {2, {}, {}}, 0, 1, "The __launch_bounds__ of f allow 32, not 1024."});
  lab::Judgement judgement;
  judgement.add(right);
  judgement.add(refused);
  judgement.add(right);
  EXPECT_EQ(judgement.failures(), std::set{lab::Criterion::compiles});
  EXPECT_EQ(lab::failuresText(judgement, 3),
            "It cannot be launched, at line 2, at 1 of 3 launches: a block of some launch has more "
            "threads than its registers or __launch_bounds__ allow, or more than 48 KiB of static "
            "shared memory.");
}

TEST(Judgement, AbortedLaunchHasNoResult) {
  lab::RunResult broken;
  broken.checkNote = "the launch was stopped";
  broken.faults.push_back({"out-of-bounds", {3, {}, {}}, 0, 1, "."});
  lab::Judgement outside;
  outside.add(broken);
  EXPECT_EQ(outside.failures(), std::set{lab::Criterion::bounds});
  EXPECT_TRUE(outside.unknown().empty());
  broken.check = lab::Check{"float64", 3, 1, 0, false, 0};
  broken.faults[0].kind = "outside-row";
  lab::Judgement row;
  row.add(broken);
  EXPECT_EQ(row.failures(), (std::set{lab::Criterion::bounds, lab::Criterion::result}));
}

/// Accesses that look wrong but may be harmless are left to a person: a value from another row, or
/// from unwritten memory, may be discarded.
TEST(Judgement, HarmlessReadIsNotAFailureIfTheResultIsRight) {
  for (const char* kind : {"outside-row", "uninitialised-copy"}) {
    lab::RunResult result;
    result.check = lab::Check{"float64", 0, 1, 0, true};
    result.faults.push_back({kind, {3, {}, {}}, 0, 1, "It reads."});
    lab::Judgement judgement;
    judgement.add(result);
    EXPECT_TRUE(judgement.failures().empty()) << kind;
    EXPECT_TRUE(has(judgement.unknown(), "It reads.")) << kind;
    result.check->ok = false;
    judgement.add(result);
    EXPECT_TRUE(judgement.failures().contains(lab::Criterion::result)) << kind;
  }
}

TEST(Judgement, UnknownCriterionIsNotPassed) {
  lab::Judgement lost;
  lost.add(workError("the worker ended"));
  EXPECT_FALSE(lost.clean());
  EXPECT_TRUE(lost.failures().empty());
  lab::RunResult strange;
  strange.faults.push_back({"unsupported-instruction", {3, {}, {}}, 0, 1, "wmma is not known."});
  lab::Judgement unknown;
  unknown.add(strange);
  EXPECT_FALSE(unknown.clean());
  EXPECT_TRUE(has(lab::unknownText(unknown), "wmma is not known."));
  Error error = requestError("undeclared identifier");
  error.where = TextLocation{"my.cu", 4, 2};
  lab::Judgement refused;
  refused.add(error);
  EXPECT_EQ(lab::failuresText(refused, 1),
            "It cannot be launched, at line 4: undeclared identifier.");
  error.kind = ErrorKind::work;  // The compiler failed at this line.
  lab::Judgement undecided;
  undecided.add(error);
  EXPECT_TRUE(undecided.failures().empty());
  EXPECT_EQ(undecided.unknown(), "undeclared identifier");
}

}  // namespace tilestep::features::exercise_file_test
