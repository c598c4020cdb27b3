// SPDX-License-Identifier: Apache-2.0
#include "grade/trial.h"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "grade/reports.h"
#include "support/results.h"
#include "unit/grade/specs.h"

namespace tilestep::grade::trial_test {

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

device::Fault faultOf(const std::string& kind) {
  device::Fault one;
  one.kind = kind;
  one.at.line = 3;
  one.message = "a message with hidden sizes";
  return one;
}

lab::RunResult stopped(const lab::Experiment& experiment, const std::string& kind) {
  lab::RunResult result = rightResult(experiment);
  result.check.reset();
  result.checkNote = "the launch was stopped";
  result.faults.push_back(faultOf(kind));
  return result;
}

/// Runs the trial to its end. `answer` gets each experiment and its number.
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

/// "1 0 -": the marks of all rows, "-" if not judged.
std::string marksOf(const Grade& grade) {
  std::string text;
  for (const Row& one : grade.rows)
    text += (text.empty() ? "" : " ") + (one.marks ? marksText(*one.marks) : "-");
  return text;
}

class TrialTest : public testing::Test {
 protected:
  /// The grade if every result is right except for `change`.
  Grade gradeWith(const std::function<void(lab::RunResult&, size_t launch)>& change) {
    return graded(trial, [&](const lab::Experiment& experiment, size_t i) {
      lab::RunResult result = rightResult(experiment);
      change(result, i);
      trial.take(result);
    });
  }

  Assignment assignment = sumAssignment();
  Trial trial{assignment, kSum};
};

TEST_F(TrialTest, ChecksEveryLaunchWithItsDataInTheInterpreter) {
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

TEST_F(TrialTest, EachFindingHasItsVerdictAndMarks) {
  constexpr size_t kAll = SIZE_MAX;
  const auto race = [](lab::RunResult& result) { result.hazards->emplace_back(); };
  const auto wrong = [](lab::RunResult& result) { result.check->ok = false; };
  const auto fault = [](const char* kind) {
    return [kind](lab::RunResult& result) {
      result.faults.push_back(faultOf(kind));
      if (device::endsLaunch(result.faults.back())) result.check.reset();
    };
  };
  struct Case {
    const char* name;
    std::function<void(lab::RunResult&)> change;
    size_t launch;  ///< The launch with the finding.
    Verdict verdict;
    /// Marks of compiles, result, bounds, races, barriers and end; "-" if not judged.
    const char* marks;
  };
  for (const Case& one : {
           Case{"race", race, 1, Verdict::wrong, "1 1 1 0 1 1"},
           Case{"never right", wrong, kAll, Verdict::wrong, "1 0 0 0 0 0"},
           Case{"uninitialised", fault("uninitialised-read"), kAll, Verdict::wrong, "1 0 0 0 0 0"},
           Case{"outside", fault("out-of-bounds"), 0, Verdict::wrong, "1 0 0 1 1 1"},
           Case{"not launched", fault("launch-refused"), 1, Verdict::wrong, "0 0 1 1 1 1"},
           Case{"endless", fault("instruction-limit"), kAll, Verdict::wrong, "1 0 0 0 0 0"},
           Case{"late", fault("timeout"), kAll, Verdict::unjudged, "- - - - - -"},
           Case{"unknown", fault("unsupported-instruction"), 1, Verdict::unjudged, "1 - - - - -"},
           Case{"assert", fault("assert"), kAll, Verdict::wrong, "1 0 0 0 0 0"},
       }) {
    Trial fresh(assignment, kSum);
    const Grade grade = graded(fresh, [&](const lab::Experiment& experiment, size_t i) {
      lab::RunResult result = rightResult(experiment);
      if (one.launch == kAll || one.launch == i) one.change(result);
      fresh.take(result);
    });
    EXPECT_EQ(grade.verdict, one.verdict) << one.name;
    EXPECT_EQ(marksOf(grade), one.marks) << one.name;
    EXPECT_FALSE(has(grade.forStudent, "hidden sizes")) << one.name;
  }
}

TEST_F(TrialTest, TheFirstRaceLocatesTheFailure) {
  const Grade grade = gradeWith([](lab::RunResult& result, size_t) {
    device::Hazard& hazard = result.hazards->emplace_back();
    hazard.kind = "read-after-write";
    hazard.space = "shared";
    hazard.second.line = 7;
    hazard.epoch = 2;
  });
  ASSERT_TRUE(grade.place.has_value());
  EXPECT_EQ(grade.place->line, 7);
  EXPECT_EQ(grade.place->epoch, std::optional<uint32_t>(2));
  EXPECT_EQ(grade.place->what, "read-after-write in shared memory");
}

TEST_F(TrialTest, AnEndlessLoopEndsTheTrial) {
  size_t runs = 0;
  gradeWith([&](lab::RunResult& result, size_t) {
    ++runs;
    result.check.reset();
    result.faults.push_back(faultOf("instruction-limit"));
  });
  EXPECT_EQ(runs, 1U);
}

/// If the check did not end, its hazards may be false alarms.
TEST_F(TrialTest, ALaunchWhoseCheckIsLateIsNotJudged) {
  const Grade grade = gradeWith([](lab::RunResult& result, size_t) {
    result.check.reset();
    result.hazards->emplace_back();
    result.faults.push_back(faultOf("time-limit"));
  });
  EXPECT_EQ(grade.verdict, Verdict::unjudged);
  EXPECT_TRUE(has(grade.reason, "A launch had not been checked after 300 s"));
  EXPECT_TRUE(trial.wasLate());
}

TEST_F(TrialTest, OnlyTimeLimitsMakeATrialLate) {
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

TEST_F(TrialTest, AFailedSearchForTheFailureIsNotLate) {
  for (size_t i = 0; i < assignment.launches.size(); ++i) trial.take(rightResult(*trial.next()));
  trial.take(lateError("tracing had not ended"));
  trial.fail(lateError("it was stuck"));
  trial.giveUp();
  EXPECT_EQ(trial.grade().verdict, Verdict::right);
  EXPECT_FALSE(trial.wasLate());
}

TEST_F(TrialTest, ACompileErrorIsRefusedAndACompilerFailureUnjudged) {
  const auto gradedWith = [&](Error error) {
    Trial fresh(assignment, kSum);
    return graded(fresh, [&](const lab::Experiment& experiment, size_t) {
      error.where = TextLocation{experiment.source.path, 4, 2};
      fresh.take(error);
    });
  };
  const Grade grade = gradedWith(requestError("too many names."));
  EXPECT_EQ(grade.verdict, Verdict::refused);
  EXPECT_EQ(grade.marks(), 0);
  EXPECT_TRUE(grade.wholeMarks());
  EXPECT_TRUE(has(grade.reason, "line 4"));
  EXPECT_TRUE(grade.reason.ends_with("too many names."));
  EXPECT_EQ(grade.troubles, (std::vector<Trouble>{{"not-compiled", "too many names.", 0}}));
  EXPECT_LT(gradedWith(requestError(std::string(100'000, 'x'))).reason.size(), 1'000U);
  EXPECT_EQ(gradedWith(workError("the compiler crashed")).verdict, Verdict::unjudged);
}

TEST_F(TrialTest, TroublesFollowFromTheVerdict) {
  const auto kinds = [](const Grade& grade) {
    std::string text;
    for (const Trouble& trouble : grade.troubles.value()) text += trouble.kind + " ";
    return text;
  };
  EXPECT_EQ(kinds(gradeWith([](lab::RunResult&, size_t) {})), "");
  Trial stops(assignment, kSum);
  EXPECT_EQ(kinds(graded(stops, [&](const lab::Experiment& experiment,
                                    size_t) { stops.take(stopped(experiment, "deadlock")); })),
            "deadlock ");
  EXPECT_EQ(kinds(Trial(assignment, "#include \"/etc/passwd\"\n").grade()), "refused ");
  EXPECT_EQ(kinds(Trial(assignment, "int x;").grade()), "refused ");
  EXPECT_EQ(kinds(gradeWithoutTrial(assignment, Verdict::unjudged, "Several files.")), "unjudged ");
}

TEST_F(TrialTest, AnErrorWithoutALineInTheFileIsUnjudged) {
  const Grade grade = graded(trial, [&](const lab::Experiment&, size_t) {
    trial.take(requestError("the launch needs 768 MiB, and 512 MiB are allowed"));
  });
  EXPECT_EQ(grade.verdict, Verdict::unjudged);
  EXPECT_EQ(row(grade, "compiles").marks, std::nullopt);
}

TEST_F(TrialTest, TheStudentDoesNotSeeWhyALaunchWasNotJudged) {
  const Grade grade = graded(trial, [&](const lab::Experiment& experiment, size_t i) {
    if (i > 0) return trial.take(requestError("M needs 972,000,000 bytes at m = 9000"));
    lab::RunResult result = rightResult(experiment);
    result.check->ok = false;
    trial.take(result);
  });
  EXPECT_EQ(grade.verdict, Verdict::wrong);
  EXPECT_TRUE(has(grade.reason, "9000")) << "for the teacher";
  EXPECT_FALSE(has(grade.forStudent, "9000"));
  EXPECT_TRUE(has(grade.forStudent, "The result is wrong"));
  EXPECT_EQ(grade.failedAt, std::optional<size_t>(0));
}

TEST_F(TrialTest, ATrialBeyondTheLimitForAllLaunchesIsNotJudged) {
  trial.take(rightResult(*trial.next()));
  trial.giveUp();
  EXPECT_EQ(trial.next().has_value(), false);
  EXPECT_EQ(trial.grade().verdict, Verdict::unjudged);
  EXPECT_EQ(row(trial.grade(), "result").marks, std::nullopt);
}

TEST_F(TrialTest, AGraderFailureGivesNoMarks) {
  for (const size_t failing : {0, 1}) {
    Trial one(assignment, kSum);
    const Grade grade = graded(one, [&](const lab::Experiment& experiment, size_t i) {
      if (i < failing) return one.take(stopped(experiment, "out-of-bounds"));
      one.fail(workError("The worker ended"));
    });
    EXPECT_EQ(grade.verdict, Verdict::failed);
    EXPECT_EQ(grade.reason, "The worker ended.");
    EXPECT_EQ(marksOf(grade), "- - - - - -");
  }
}

/// `runs`: whether the trial requests a launch.
TEST(Trials, TheSourceDecidesWhetherAKernelRuns) {
  const Assignment assignment = sumAssignment();
  const std::string other = "__global__ void other(float* P) { P[0] = 1; }\n";
  std::string renamed = kSum;
  renamed.replace(renamed.find("add"), 3, "my_sum");
  struct Case {
    std::string text;
    bool runs;
    Verdict verdict = Verdict::right;  ///< The verdict if it does not run.
    std::string forStudent = {};       ///< A part of the sentence for the student.
  };
  for (const Case& one : {
           Case{"#include <cstdio>\n" + std::string(kSum) + "int main() { printf(\"\"); }\n", true},
           Case{"const char d[] = {\n#embed \"/etc/passwd\"\n};\n" + std::string(kSum), false,
                Verdict::refused},
           Case{other + kSum, true},
           Case{other + renamed, false, Verdict::unjudged, "none of them is called add"},
           Case{"int x;\n", false, Verdict::refused},
           Case{"#define BLOCK 16\n" + std::string(kSum), false, Verdict::unjudged,
                "line 1: BLOCK"},
           Case{"#ifndef BLOCK\n#define BLOCK 16\n#endif\n" + std::string(kSum), true},
           Case{"template <int B>\n" + std::string(kSum), false, Verdict::unjudged, "template"},
       }) {
    const Trial trial(assignment, one.text);
    EXPECT_EQ(trial.next().has_value(), one.runs) << one.text << trial.grade().reason;
    if (one.runs) continue;
    const Grade grade = trial.grade();
    EXPECT_EQ(grade.verdict, one.verdict) << one.text;
    EXPECT_EQ(grade.wholeMarks(), one.verdict == Verdict::refused) << one.text;
    EXPECT_TRUE(has(grade.forStudent, one.forStudent));
  }
}

TEST(Trials, FrontMatterOfTheFileIsIgnored) {
  const Assignment assignment = sumAssignment();
  const Trial trial(assignment,
                    std::string("/*---\nreference = \"none\"\nsizes = { m = 1 }\n---*/\n") + kSum);
  ASSERT_TRUE(trial.next().has_value());
  EXPECT_EQ(trial.next()->source.frontMatter, assignment.spec.front.toml);
}

TEST(Trials, SearchesForTheStoreOfTheFirstWrongElement) {
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
    auto recording = std::make_shared<trace::BlockTrace>();
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

const std::string kLoads = "global_load_sectors";

/// The grade of a right kernel that loads 100 sectors, as the solution does. `change` modifies the
/// results, `changeAssignment` the assignment.
Grade counted(const std::function<void(lab::RunResult&, size_t launch)>& change,
              const std::function<void(Assignment&)>& changeAssignment = {}) {
  Assignment assignment = sumAssignment(
      "[grading]\ndrawn = 3\nsolution = \"s.cu\"\n[[grading.count]]\ncounter = "
      "\"global_load_sectors\"\nat_most = 1.2\nmarks = 2\n");
  trace::Counters solution;
  solution.globalLoad.sectors = 100;
  assignment.solution.assign(assignment.launches.size(), {solution, {}});
  if (changeAssignment) changeAssignment(assignment);
  Trial trial(assignment, kSum);
  return graded(trial, [&](const lab::Experiment& experiment, size_t i) {
    lab::RunResult result = rightResult(experiment);
    change(result, i);
    trial.take(result);
  });
}

std::function<void(lab::RunResult&, size_t)> loads(uint64_t sectors) {
  return [sectors](lab::RunResult& result, size_t) {
    result.counters->total.globalLoad.sectors = sectors;
  };
}

std::function<void(Assignment&)> uncertainAt(size_t launches) {
  return [launches](Assignment& assignment) {
    for (size_t i = 0; i < launches; ++i) assignment.solution[i].uncertain = {kLoads};
  };
}

TEST(TrialCounts, AreComparedWithTheSolutions) {
  EXPECT_EQ(row(counted(loads(120)), kLoads).marks, 2.0);
  EXPECT_EQ(counted(loads(120)).reason, "");
  const Grade many = counted(loads(121));
  EXPECT_EQ(many.verdict, Verdict::right) << "the verdict is about the result";
  EXPECT_EQ(row(many, kLoads).marks, 0.0);
  EXPECT_EQ(row(many, kLoads).why,
            "global_load_sectors is 1.21 times the solution's, but only 1.2 times is allowed.");
  EXPECT_TRUE(has(many.reason, "1.21 times"));
  ASSERT_EQ(many.counts.size(), 1U);
  EXPECT_EQ(many.counts[0].solution, 300U);
  EXPECT_EQ(counted(loads(400)).troubles, (std::vector<Trouble>{{"count", kLoads, 4}}));
  const auto limit = [](Assignment& assignment) { assignment.rules.counts[0].atMost = 1.15; };
  EXPECT_EQ(row(counted(loads(115), limit), kLoads).marks, 2.0) << "1.15 * 100 < 115 in binary";
}

TEST(TrialCounts, LaunchesWithAnUncertainCountOfTheSolutionAreOmitted) {
  const Grade grade = counted(loads(120), uncertainAt(1));
  EXPECT_EQ(row(grade, kLoads).marks, 2.0);
  ASSERT_EQ(grade.counts.size(), 1U);
  EXPECT_EQ(grade.counts[0].solution, 200U) << "two of three launches";
  const Grade none = counted(loads(500), uncertainAt(3));
  EXPECT_EQ(row(none, kLoads).marks, std::nullopt);
  EXPECT_FALSE(none.wholeMarks());
}

TEST(TrialCounts, AnUncertainCountOfTheSubmissionNeedsAPerson) {
  const Grade grade = counted([](lab::RunResult& result, size_t) {
    result.uncertain = {{lab::UncertainCounts::Why::prints, 4, {kLoads}}};
  });
  EXPECT_EQ(grade.verdict, Verdict::right);
  EXPECT_EQ(row(grade, kLoads).marks, std::nullopt);
  EXPECT_TRUE(has(grade.reason, "The row global_load_sectors is not judged. The printf at line 4"));
  EXPECT_TRUE(grade.needsPerson()) << "there is no total";
}

TEST(TrialCounts, CountsThatOmitAtomicOperationsAreNotMarked) {
  const auto without = [](const char* counter) {
    return [counter](lab::RunResult& result, size_t launch) {
      if (launch == 0) result.withoutAtomics = {counter};
    };
  };
  const Grade grade = counted(without("global_load_sectors"));
  EXPECT_EQ(row(grade, kLoads).marks, std::nullopt);
  EXPECT_TRUE(has(row(grade, kLoads).why, "atomic operations"));
  EXPECT_EQ(row(counted(without("shared_load_requests")), kLoads).marks, 2.0);
}

/// Counts of launches that load these numbers of sectors.
std::vector<LaunchCounts> loaded(const std::vector<uint64_t>& sectors) {
  std::vector<LaunchCounts> launches(sectors.size());
  for (size_t i = 0; i < sectors.size(); ++i) launches[i].counters.globalLoad.sectors = sectors[i];
  return launches;
}

TEST(TrialCounts, TilesOfOneElementDoNotHideALackOfTiles) {
  const CountRule rule{kLoads, 1.2, 1};
  std::vector<HiddenLaunch> launches(2);
  launches[1].atDefaults = true;
  const std::vector<LaunchCounts> solution = loaded({10'000, 100});
  struct Case {
    std::vector<uint64_t> sectors;
    bool fits, atDefaults;
  };
  // The sum over both is 1.07 times the solution's.
  for (const Case& one : {Case{{10'000, 800}, false, true}, Case{{13'000, 100}, false, false},
                          Case{{10'500, 110}, true, true}}) {
    const auto count = countOf(rule, loaded(one.sectors), solution, launches);
    ASSERT_TRUE(count.has_value());
    EXPECT_EQ(fits(*count), one.fits);
    EXPECT_EQ(count->atDefaults, one.atDefaults);
  }
  const auto naive = countOf(rule, loaded({10'000, 800}), solution, launches);
  EXPECT_EQ(
      tooMany(*naive),
      "global_load_sectors is 8 times the solution's at the default tunables, but only 1.2 times "
      "is allowed.");
  const auto all = countOf(rule, loaded({150}), loaded({100}), std::vector<HiddenLaunch>(1));
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->submission, 150U) << "no launch has the default tunables";
}

}  // namespace tilestep::grade::trial_test
