// SPDX-License-Identifier: Apache-2.0
#include "grade/trial.h"

#include <algorithm>

#include "unit/grade/specs.h"

namespace tilestep::grade {
namespace trial_test {

lab::RunResult rightResult(const lab::Experiment& experiment) {
  lab::RunResult result;
  result.plan = *compile::plan(sumSpec().kernel, experiment.sizes, experiment.tunables, Limits{});
  result.check = lab::Check{"float64", 0, 1, 0, true};
  result.hazards.emplace();
  if (experiment.counters) {
    result.counters.emplace();
    result.counters->total.globalLoad.sectors = 100;
  }
  return result;
}

device::Fault fault(const std::string& kind, uint32_t line = 3) {
  device::Fault one;
  one.kind = kind;
  one.at.line = line;
  one.message = "a message with hidden sizes";
  return one;
}

lab::RunResult stopped(const lab::Experiment& experiment, const std::string& kind) {
  lab::RunResult result = rightResult(experiment);
  result.check.reset();
  result.checkNote = "the launch was stopped";
  result.faults.push_back(fault(kind));
  return result;
}

/// Runs the trial to its end; `answer` is called with each experiment and its number.
template <class Answer>
Grade graded(Trial& trial, const Answer& answer) {
  size_t number = 0;
  while (const auto experiment = trial.next()) {
    answer(*experiment, number++);
    if (number > 200) {
      ADD_FAILURE() << "the trial does not end";
      break;
    }
  }
  return trial.grade();
}

const Row& row(const Grade& grade, const std::string& name) {
  const auto at = std::ranges::find(grade.rows, name, &Row::name);
  EXPECT_NE(at, grade.rows.end()) << name;
  return *at;
}

class TrialTest : public testing::Test {
 protected:
  Assignment assignment = sumAssignment();
  Trial trial{assignment, kSum};
};

TEST_F(TrialTest, RunsEveryLaunchWithItsDataInTheInterpreterAndChecksIt) {
  size_t number = 0;
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t i) {
    const HiddenLaunch& launch = assignment.launches[i];
    EXPECT_EQ(experiment.device, "simt");
    EXPECT_TRUE(experiment.check);
    EXPECT_EQ(experiment.sizes, launch.sizes);
    EXPECT_EQ(experiment.tunables, launch.tunables);
    EXPECT_EQ(experiment.seed, launch.seed);
    EXPECT_GT(experiment.mostInstructions, 0U);
    trial.take(rightResult(experiment));
    ++number;
  });
  EXPECT_EQ(number, assignment.launches.size());
  EXPECT_EQ(grade.verdict, Verdict::right);
  EXPECT_EQ(grade.reason, "");
  EXPECT_EQ(grade.marks(), 6);
  EXPECT_EQ(grade.place.has_value(), false);
}

TEST_F(TrialTest, ARaceAtOneLaunchIsWrongAndCostsItsRow) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t i) {
    lab::RunResult result = rightResult(experiment);
    if (i == 1) {
      device::Hazard hazard;
      hazard.kind = "read-after-write";
      hazard.space = "shared";
      hazard.second.line = 7;
      hazard.epoch = 2;
      result.hazards->push_back(hazard);
    }
    trial.take(result);
  });
  EXPECT_EQ(grade.verdict, Verdict::wrong);
  EXPECT_EQ(row(grade, "races").marks, 0.0);
  EXPECT_EQ(row(grade, "result").marks, 1.0);
  EXPECT_EQ(grade.marks(), 5);
  ASSERT_TRUE(grade.place.has_value());
  EXPECT_EQ(grade.place->line, 7);
  EXPECT_EQ(grade.place->epoch, std::optional<uint32_t>(2));
  EXPECT_EQ(grade.place->what, "read-after-write in shared memory");
}

TEST_F(TrialTest, AKernelThatIsNeverRightEarnsNothingForWhatItDoesNotDoWrong) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t) {
    lab::RunResult result = rightResult(experiment);
    result.check->ok = false;
    trial.take(result);
  });
  EXPECT_EQ(grade.verdict, Verdict::wrong);
  EXPECT_EQ(row(grade, "compiles").marks, 1.0);
  EXPECT_EQ(row(grade, "result").marks, 0.0);
  EXPECT_EQ(row(grade, "races").marks, 0.0);
  EXPECT_NE(row(grade, "races").why.find("not shown"), std::string::npos);
  EXPECT_EQ(grade.marks(), 1);
}

/// Memory that nothing has written may hold the zeros that the kernel needs.
TEST_F(TrialTest, AResultThatRestsOnUnwrittenMemoryIsNotRight) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t) {
    lab::RunResult result = rightResult(experiment);
    result.faults.push_back({"uninitialised-read", {3, {}, {}}, 0, 1, "."});
    trial.take(result);
  });
  EXPECT_EQ(grade.verdict, Verdict::wrong);
  EXPECT_EQ(row(grade, "result").marks, 0.0);
  EXPECT_EQ(row(grade, "races").marks, 0.0) << "it is right at no launch";
}

TEST_F(TrialTest, ALaunchThatAFaultStoppedHasNoRightResult) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t i) {
    trial.take(i == 0 ? stopped(experiment, "out-of-bounds") : rightResult(experiment));
  });
  EXPECT_EQ(grade.verdict, Verdict::wrong);
  EXPECT_EQ(row(grade, "bounds").marks, 0.0);
  EXPECT_EQ(row(grade, "result").marks, 0.0);
  EXPECT_EQ(row(grade, "races").marks, 1.0);
  EXPECT_EQ(grade.reason.find("hidden sizes"), std::string::npos) << grade.reason;
}

TEST_F(TrialTest, ALaunchThatNoGpuRunsCostsItsRowAndTheResult) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t i) {
    trial.take(i == 1 ? stopped(experiment, "launch-refused") : rightResult(experiment));
  });
  EXPECT_EQ(grade.verdict, Verdict::wrong);
  EXPECT_EQ(row(grade, "compiles").marks, 0.0);
  EXPECT_EQ(row(grade, "result").marks, 0.0);
  EXPECT_EQ(row(grade, "races").marks, row(grade, "races").of);
  EXPECT_EQ(row(grade, "bounds").marks, row(grade, "bounds").of);
  EXPECT_EQ(grade.forStudent.find("hidden sizes"), std::string::npos) << grade.forStudent;
}

TEST_F(TrialTest, ALoopWithoutEndIsWrongAndNotTriedAgain) {
  size_t runs = 0;
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t) {
    trial.take(stopped(experiment, "instruction-limit"));
    ++runs;
  });
  EXPECT_EQ(runs, 1U);
  EXPECT_EQ(grade.verdict, Verdict::wrong);
  EXPECT_EQ(row(grade, "end").marks, 0.0);
}

TEST_F(TrialTest, ALaunchThatOnlyTheClockStoppedIsNotJudged) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t) {
    trial.take(stopped(experiment, "timeout"));
  });
  EXPECT_EQ(grade.verdict, Verdict::unjudged);
  for (const Row& one : grade.rows) EXPECT_EQ(one.marks, std::nullopt) << one.name;
}

/// Hazards of a launch whose kernel was not looked at as it is written may be none.
TEST_F(TrialTest, ALaunchWhoseCheckIsLateIsNotJudged) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t) {
    lab::RunResult result = rightResult(experiment);
    result.check.reset();
    result.hazards->emplace_back();
    result.faults.push_back(fault("time-limit"));
    trial.take(result);
  });
  EXPECT_EQ(grade.verdict, Verdict::unjudged);
  EXPECT_NE(grade.reason.find("A launch had not been checked after 300 s"), std::string::npos)
      << grade.reason;
  EXPECT_TRUE(trial.wasLate());
}

TEST_F(TrialTest, OnlyWhatALimitOfTimeLeftOpenIsLate) {
  const auto wasLate = [&](const auto& answer) {
    Trial one(assignment, kSum);
    graded(one, [&](const lab::Experiment& experiment, size_t) { answer(one, experiment); });
    return one.wasLate();
  };
  const auto stoppedBy = [&](const char* kind) {
    return wasLate(
        [&](Trial& one, const auto& experiment) { one.take(stopped(experiment, kind)); });
  };
  const auto endedBy = [&](const Error& error) {
    return wasLate([&](Trial& one, const auto&) { one.take(error); });
  };
  EXPECT_TRUE(stoppedBy("timeout"));
  EXPECT_TRUE(endedBy(lateError("clang gave no answer")));
  EXPECT_TRUE(wasLate([](Trial& one, const auto&) { one.fail(lateError("it was stuck")); }));
  EXPECT_TRUE(wasLate([](Trial& one, const auto&) { one.giveUp(); }));
  for (const char* kind : {"instruction-limit", "deadlock", "waits-too-long", "out-of-bounds"})
    EXPECT_FALSE(stoppedBy(kind)) << kind;
  EXPECT_FALSE(endedBy(workError("a header is not on this machine")));
  EXPECT_FALSE(wasLate([](Trial& one, const auto&) { one.fail(workError("it ended")); }));
  EXPECT_FALSE(
      wasLate([&](Trial& one, const auto& experiment) { one.take(rightResult(experiment)); }));
}

TEST_F(TrialTest, ASearchForThePlaceThatEndsIsNotLate) {
  for (size_t i = 0; i < assignment.launches.size(); ++i) trial.take(rightResult(*trial.next()));
  trial.take(lateError("tracing had not ended"));
  trial.fail(lateError("it was stuck"));
  trial.giveUp();
  EXPECT_EQ(trial.grade().verdict, Verdict::right);
  EXPECT_FALSE(trial.wasLate());
}

TEST_F(TrialTest, WhatTheInterpreterDoesNotKnowIsNotJudged) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t i) {
    trial.take(i == 1 ? stopped(experiment, "unsupported-instruction") : rightResult(experiment));
  });
  EXPECT_EQ(grade.verdict, Verdict::unjudged);
  EXPECT_EQ(row(grade, "compiles").marks, 1.0);
  EXPECT_EQ(row(grade, "result").marks, std::nullopt);
}

TEST_F(TrialTest, AnAssertionThatFailsIsWrong) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t) {
    trial.take(stopped(experiment, "assert"));
  });
  EXPECT_EQ(grade.verdict, Verdict::wrong);
  EXPECT_EQ(row(grade, "result").marks, 0.0);
}

TEST_F(TrialTest, ACompileErrorIsRefusedAndEarnsNothing) {
  const auto gradedWith = [&](Error error, const std::string& file) {
    Trial fresh(assignment, kSum);
    return graded(fresh, [&](const lab::Experiment& experiment, size_t) {
      error.where = TextLocation{file.empty() ? experiment.source.path : file, 4, 2};
      fresh.take(error);
    });
  };
  const Grade grade = gradedWith(requestError("expected a ';'"), "");
  EXPECT_EQ(grade.verdict, Verdict::refused);
  EXPECT_EQ(grade.marks(), 0);
  EXPECT_TRUE(grade.wholeMarks());
  EXPECT_NE(grade.reason.find("line 4"), std::string::npos) << grade.reason;
  // One that the compiler could not decide is for a person.
  EXPECT_EQ(gradedWith(workError("nobody can say"), "").verdict, Verdict::unjudged);
}

TEST_F(TrialTest, SaysWhatWasFound) {
  const auto kinds = [](const Grade& grade) {
    std::string text;
    for (const Trouble& trouble : grade.troubles.value()) text += trouble.kind + " ";
    return text;
  };
  const Grade right = graded(trial, [&](const lab::Experiment& experiment, size_t) {
    trial.take(rightResult(experiment));
  });
  EXPECT_EQ(kinds(right), "");
  Trial stops(assignment, kSum);
  const Grade wrong = graded(stops, [&](const lab::Experiment& experiment, size_t) {
    stops.take(stopped(experiment, "deadlock"));
  });
  EXPECT_EQ(kinds(wrong), "deadlock ");
  Trial refused(assignment, kSum);
  const Grade notCompiled = graded(refused, [&](const lab::Experiment&, size_t) {
    Error error = requestError("expected a ';'");
    error.where = TextLocation{"mine.cu", 4, 1};
    refused.take(error);
  });
  EXPECT_EQ(notCompiled.troubles, (std::vector<Trouble>{{"not-compiled", "expected a ';'", 0}}));
  EXPECT_EQ(kinds(Trial(assignment, "#include \"/etc/passwd\"\n").grade()), "refused ");
  EXPECT_EQ(kinds(Trial(assignment, "int x;").grade()), "refused ");
  EXPECT_EQ(kinds(gradeWithoutTrial(assignment, Verdict::unjudged, "Several files.")), "unjudged ");
}

TEST_F(TrialTest, ACountThatIsTooHighIsFoundWithItsTimes) {
  Assignment counting = sumAssignment(
      "[grading]\ndrawn = 3\nsolution = \"x\"\n[[grading.count]]\ncounter = "
      "\"global_load_sectors\"\nat_most = 1.2\nmarks = 2\n");
  LaunchCounts solution;
  solution.counters.globalLoad.sectors = 25;
  counting.solution.assign(counting.launches.size(), solution);
  Trial one(counting, kSum);
  const Grade grade = graded(
      one, [&](const lab::Experiment& experiment, size_t) { one.take(rightResult(experiment)); });
  EXPECT_EQ(grade.verdict, Verdict::right);
  EXPECT_EQ(grade.troubles, (std::vector<Trouble>{{"count", "global_load_sectors", 4}}));
}

TEST_F(TrialTest, ACompilersMessageIsOneSentenceOfBoundedLength) {
  const auto reasonFor = [&](std::string message) {
    Trial one(assignment, kSum);
    return graded(one,
                  [&](const lab::Experiment&, size_t) {
                    Error error = requestError(std::move(message));
                    error.where = TextLocation{"mine.cu", 4, 1};
                    one.take(error);
                  })
        .reason;
  };
  EXPECT_TRUE(reasonFor("too many names.").ends_with("too many names."));
  EXPECT_LT(reasonFor(std::string(100'000, 'x')).size(), 1'000U);
}

TEST_F(TrialTest, AnErrorWithoutAPlaceInTheFileIsNotTheSubmissions) {
  const Grade grade = graded(trial, [&](const lab::Experiment&, size_t) {
    trial.take(requestError("the launch needs 768 MiB, and 512 MiB are allowed"));
  });
  EXPECT_EQ(grade.verdict, Verdict::unjudged);
  EXPECT_EQ(row(grade, "compiles").marks, std::nullopt);
}

TEST_F(TrialTest, WhyALaunchWasNotJudgedIsNotForTheStudent) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t i) {
    if (i > 0) return trial.take(requestError("M needs 972,000,000 bytes at m = 9000"));
    lab::RunResult result = rightResult(experiment);
    result.check->ok = false;
    trial.take(result);
  });
  EXPECT_EQ(grade.verdict, Verdict::wrong);
  EXPECT_NE(grade.reason.find("9000"), std::string::npos) << "the teacher is told";
  EXPECT_EQ(grade.forStudent.find("9000"), std::string::npos) << grade.forStudent;
  EXPECT_NE(grade.forStudent.find("The result is wrong"), std::string::npos);
  EXPECT_EQ(grade.failedAt, std::optional<size_t>(0));
}

TEST_F(TrialTest, WhatTakesTooLongAltogetherIsNotJudged) {
  trial.take(rightResult(*trial.next()));
  trial.giveUp();
  EXPECT_EQ(trial.next().has_value(), false);
  EXPECT_EQ(trial.grade().verdict, Verdict::unjudged);
  EXPECT_EQ(row(trial.grade(), "result").marks, std::nullopt);
}

TEST_F(TrialTest, AGraderThatFailsMarksNothing) {
  const Grade grade = graded(
      trial, [&](const lab::Experiment&, size_t) { trial.fail(workError("The worker ended")); });
  EXPECT_EQ(grade.verdict, Verdict::failed);
  EXPECT_EQ(grade.reason, "The worker ended.");
  for (const Row& one : grade.rows) EXPECT_EQ(one.marks, std::nullopt) << one.name;
}

TEST_F(TrialTest, AGraderThatFailsLaterMarksNothingEither) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t i) {
    if (i == 0) return trial.take(stopped(experiment, "out-of-bounds"));
    trial.fail(workError("The worker ended"));
  });
  EXPECT_EQ(grade.verdict, Verdict::failed);
  for (const Row& one : grade.rows) EXPECT_EQ(one.marks, std::nullopt) << one.name;
}

TEST(Trials, AFileThatReadsOthersIsRefusedAndNeverRun) {
  const Assignment assignment = sumAssignment();
  const Trial trial(assignment,
                    std::string("const char data[] = {\n#embed \"/etc/passwd\"\n};\n") + kSum);
  EXPECT_EQ(trial.next().has_value(), false);
  const Grade grade = trial.grade();
  EXPECT_EQ(grade.verdict, Verdict::refused);
  EXPECT_EQ(grade.marks(), 0);
  EXPECT_TRUE(grade.wholeMarks());
}

TEST(Trials, AWholeProgramIsTakenForItsKernel) {
  const Assignment assignment = sumAssignment();
  const Trial trial(assignment, std::string("#include <cstdio>\n#include <cuda_runtime.h>\n") +
                                    kSum + "int main() { printf(\"hello\"); return 0; }\n");
  EXPECT_TRUE(trial.next().has_value()) << trial.grade().reason;
}

TEST(Trials, FrontMatterOfTheFileCountsForNothing) {
  const Assignment assignment = sumAssignment();
  const Trial trial(assignment,
                    std::string("/*---\nreference = \"none\"\nsizes = { m = 1 }\n---*/\n") + kSum);
  ASSERT_TRUE(trial.next().has_value());
  EXPECT_EQ(trial.next()->source.frontMatter, assignment.spec.front.toml);
}

TEST(Trials, OfSeveralKernelsTheSpecsIsMeantOrAPersonChooses) {
  const Assignment assignment = sumAssignment();
  const std::string other = "__global__ void other(float* P) { P[0] = 1; }\n";
  const Trial named(assignment, other + kSum);
  EXPECT_TRUE(named.next().has_value());
  std::string renamed = kSum;
  renamed.replace(renamed.find("add"), 3, "my_sum");
  const Trial unnamed(assignment, other + renamed);
  EXPECT_EQ(unnamed.next().has_value(), false);
  EXPECT_EQ(unnamed.grade().verdict, Verdict::unjudged);
  const Trial none(assignment, "int x;\n");
  EXPECT_EQ(none.grade().verdict, Verdict::refused);
}

TEST(Trials, AFileThatDefinesATunableIsForAPersonToMend) {
  const Assignment assignment = sumAssignment();
  const Trial trial(assignment, std::string("#define BLOCK 16\n") + kSum);
  EXPECT_EQ(trial.next().has_value(), false);
  const Grade grade = trial.grade();
  EXPECT_EQ(grade.verdict, Verdict::unjudged);
  EXPECT_TRUE(grade.forStudent.starts_with("line 1: BLOCK")) << grade.forStudent;
  const Trial guarded(assignment, std::string("#ifndef BLOCK\n#define BLOCK 16\n#endif\n") + kSum);
  EXPECT_TRUE(guarded.next().has_value()) << guarded.grade().reason;
}

TEST(Trials, ATemplateIsForAPersonToChooseArgumentsFor) {
  const Assignment assignment = sumAssignment();
  const Trial trial(assignment, "template <int B>\n" + std::string(kSum));
  EXPECT_EQ(trial.grade().verdict, Verdict::unjudged);
  EXPECT_NE(trial.grade().forStudent.find("template"), std::string::npos);
}

TEST(Trials, TheStoreOfTheFirstWrongElementIsLookedFor) {
  Assignment assignment = sumAssignment();
  assignment.findsPlaces = true;
  Trial trial(assignment, kSum);
  size_t traced = 0;
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t) {
    lab::RunResult result = rightResult(experiment);
    if (!experiment.traceBlock) {
      result.check->ok = false;
      result.check->firstWrong = lab::WrongElement{2, 0, true, 1, 2};
      return trial.take(result);
    }
    ++traced;
    EXPECT_TRUE(experiment.blockAlone);
    const uint32_t offset = 0;
    const float value = 1;
    trace::TraceEvent event;
    event.epoch = 3;
    event.line = 4;
    event.operation = trace::Operation::store;
    event.space = trace::Space::global;
    event.width = 4;
    event.buffer = 2;
    event.mask = 1;
    event.offsets = {&offset, 1};
    event.values = std::as_bytes(std::span(&value, 1));
    auto recording = std::make_shared<trace::Recording>();
    recording->append(event);
    recording->finish();
    result.trace = recording;
    trial.take(result);
  });
  EXPECT_EQ(traced, 1U);
  ASSERT_TRUE(grade.place.has_value());
  EXPECT_EQ(grade.place->element, "P[0][0]");
  EXPECT_EQ(grade.place->line, 4);
  EXPECT_EQ(grade.place->epoch, std::optional<uint32_t>(3));
}

/// The grade of a right kernel whose loads are `times` the solution's, which are uncertain at the
/// first launches.
Grade counted(double times, size_t uncertainLaunches = 0, const std::string& atMost = "1.2",
              const std::vector<std::string>& withoutAtomics = {}) {
  Assignment assignment = sumAssignment(
      "[grading]\ndrawn = 3\nsolution = \"s.cu\"\n[[grading.count]]\ncounter = "
      "\"global_load_sectors\"\nat_most = " +
      atMost + "\nmarks = 2\n");
  trace::Counters solution;
  solution.globalLoad.sectors = 100;
  assignment.solution.assign(assignment.launches.size(), {solution, {}});
  for (size_t i = 0; i < uncertainLaunches; ++i)
    assignment.solution[i].uncertain = {"global_load_sectors"};
  Trial trial(assignment, kSum);
  return graded(trial, [&](const lab::Experiment& experiment, size_t) {
    lab::RunResult result = rightResult(experiment);
    result.counters->total.globalLoad.sectors = static_cast<uint64_t>(100 * times);
    result.withoutAtomics = withoutAtomics;
    trial.take(result);
  });
}

TEST(TrialCounts, AreComparedWithTheSolutions) {
  EXPECT_EQ(row(counted(1.2), "global_load_sectors").marks, 2.0);
  const Grade many = counted(1.21);
  EXPECT_EQ(many.verdict, Verdict::right) << "the verdict is about the result";
  EXPECT_EQ(row(many, "global_load_sectors").marks, 0.0);
  EXPECT_EQ(row(many, "global_load_sectors").why,
            "global_load_sectors is 1.21 times the solution's, and 1.2 times is the most.");
  ASSERT_EQ(many.counts.size(), 1U);
  EXPECT_EQ(many.counts[0].solution, 300U);
}

/// Launches with these many sectors loaded.
std::vector<LaunchCounts> loaded(const std::vector<uint64_t>& sectors) {
  std::vector<LaunchCounts> launches(sectors.size());
  for (size_t i = 0; i < sectors.size(); ++i) launches[i].counters.globalLoad.sectors = sectors[i];
  return launches;
}

TEST(TrialCounts, OfOneElementTilesHideNothingOfTheDefaultOnes) {
  const CountRule rule{"global_load_sectors", 1.2, 1};
  std::vector<HiddenLaunch> launches(2);
  launches[1].atDefaults = true;
  const std::vector<LaunchCounts> solution = loaded({10'000, 100});
  const auto naive = countOf(rule, loaded({10'000, 800}), solution, launches);
  ASSERT_TRUE(naive.has_value());
  EXPECT_FALSE(fits(*naive)) << "both together are 1.07 times";
  EXPECT_EQ(tooMany(*naive),
            "global_load_sectors is 8 times the solution's at the default tunables, and 1.2 times "
            "is the most.");
  const auto others = countOf(rule, loaded({13'000, 100}), solution, launches);
  ASSERT_TRUE(others.has_value());
  EXPECT_FALSE(fits(*others));
  EXPECT_FALSE(others->atDefaults);
  const auto right = countOf(rule, loaded({10'500, 110}), solution, launches);
  ASSERT_TRUE(right.has_value());
  EXPECT_TRUE(fits(*right));
}

TEST(TrialCounts, WithoutALaunchAtTheDefaultsAreOfAllLaunches) {
  const auto count = countOf({"global_load_sectors", 1.2, 1}, loaded({150}), loaded({100}),
                             std::vector<HiddenLaunch>(1));
  ASSERT_TRUE(count.has_value());
  EXPECT_EQ(count->submission, 150U);
  EXPECT_FALSE(fits(*count));
}

TEST(TrialCounts, EqualToTheLimitFit) {
  // 1.15 * 100 is less than 115 in binary.
  EXPECT_EQ(row(counted(1.15, 0, "1.15"), "global_load_sectors").marks, 2.0);
}

TEST(TrialCounts, TooManySaySoInTheReason) {
  EXPECT_NE(counted(1.21).reason.find("1.21 times"), std::string::npos);
  EXPECT_EQ(counted(1.0).reason, "");
}

TEST(TrialCounts, AreLeftOutWhereTheSolutionsIsUncertain) {
  const Grade grade = counted(1.2, 1);
  EXPECT_EQ(row(grade, "global_load_sectors").marks, 2.0);
  ASSERT_EQ(grade.counts.size(), 1U);
  EXPECT_EQ(grade.counts[0].solution, 200U) << "two of three launches";
}

TEST(TrialCounts, ThatAreUncertainEverywhereDecideNoMark) {
  const Grade grade = counted(5, 3);
  EXPECT_EQ(row(grade, "global_load_sectors").marks, std::nullopt);
  EXPECT_FALSE(grade.wholeMarks());
}

TEST(TrialCounts, ThatAPrintfMakesUncertainSaySoInTheReasonAndNeedAPerson) {
  Assignment assignment = sumAssignment(
      "[grading]\ndrawn = 3\nsolution = \"s.cu\"\n[[grading.count]]\ncounter = "
      "\"global_load_sectors\"\nat_most = 1\nmarks = 2\n");
  assignment.solution.assign(assignment.launches.size(), loaded({100}).front());
  Trial trial(assignment, kSum);
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t) {
    lab::RunResult result = rightResult(experiment);
    result.uncertain = {{lab::UncertainCounts::Why::prints, 4, {"global_load_sectors"}}};
    trial.take(result);
  });
  EXPECT_EQ(grade.verdict, Verdict::right);
  EXPECT_EQ(row(grade, "global_load_sectors").marks, std::nullopt);
  EXPECT_NE(grade.reason.find("The row global_load_sectors is not judged. The printf at line 4"),
            std::string::npos)
      << grade.reason;
  EXPECT_TRUE(grade.needsPerson()) << "there is no total";
}

TEST(TrialCounts, ThatLeaveAtomicOperationsOutDecideNoMark) {
  const Grade grade = counted(0, 0, "1.2", {"global_load_sectors"});
  EXPECT_EQ(row(grade, "global_load_sectors").marks, std::nullopt);
  EXPECT_EQ(row(grade, "global_load_sectors").why,
            "The kernel also does this with atomic operations, which are not counted, so this "
            "decides no mark.");
  EXPECT_EQ(row(counted(1, 0, "1.2", {"shared_load_requests"}), "global_load_sectors").marks, 2.0);
}

TEST(TrialCounts, ThatLeaveAtomicOperationsOutAtOneLaunchDecideNoMark) {
  // A file may use them with some tunables alone.
  Assignment assignment = sumAssignment(
      "[grading]\ndrawn = 3\nsolution = \"s.cu\"\n[[grading.count]]\ncounter = "
      "\"global_load_sectors\"\nat_most = 1\nmarks = 2\n");
  assignment.solution.assign(assignment.launches.size(), loaded({100}).front());
  Trial trial(assignment, kSum);
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t index) {
    lab::RunResult result = rightResult(experiment);
    if (index == 0) result.withoutAtomics = {"global_load_sectors"};
    trial.take(result);
  });
  EXPECT_EQ(row(grade, "global_load_sectors").marks, std::nullopt);
}

}  // namespace trial_test
}  // namespace tilestep::grade
