// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compile/front_matter/spec.h"
#include "grade/counts.h"
#include "grade/grade.h"
#include "grade/hidden_launches.h"
#include "grade/rules.h"
#include "grade/trouble_log.h"
#include "lab/experiment.h"
#include "lab/judge/judgement.h"

namespace tilestep::grade {

/// The data that all submissions share.
struct Assignment {
  compile::Spec spec;
  Rules rules;
  std::vector<HiddenLaunch> launches;
  /// The solution's counts by launch; empty if no rule needs them.
  std::vector<LaunchCounts> solution;
  double launchSeconds = 300;  ///< The time limit for a launch, including compilation.
  double allSeconds = 600;     ///< The time limit for all launches of a submission.
  uint64_t memoryBytes = 0;    ///< For a launch, and for compiling; 0 for no limit.
  bool findsPlaces = false;    ///< Whether to find the line and step that stored a wrong element.
};

/// The experiment that judges a kernel at a launch.
[[nodiscard]] lab::Experiment experimentFor(const Assignment& assignment,
                                            const compile::KernelSource& kernel,
                                            const HiddenLaunch& launch);

/// Whether a time limit ended the launch or the check of its outputs.
[[nodiscard]] bool isLate(const lab::RunResult& result);

/// The grade of a submission that was not run, without id, file, hash and seconds. `verdict`
/// is refused, unjudged or failed. `reason` consists of sentences that the student may read, unless
/// the verdict is failed.
[[nodiscard]] Grade gradeWithoutTrial(const Assignment& assignment, Verdict verdict,
                                      std::string reason);

/// Judges one submission launch by launch. A value without a worker: its owner runs next() and
/// passes the result to take().
class Trial {
 public:
  /// `text` is the submission's source. The assignment must outlive the trial.
  Trial(const Assignment& assignment, const std::string& text);

  /// The next experiment; absent if the verdict is known.
  [[nodiscard]] std::optional<lab::Experiment> next() const;
  void take(const lab::RunResult& result);
  /// Reports that the experiment could not be run.
  void take(const Error& error);
  /// Reports that the worker ended or did not answer.
  void fail(const Error& why);

  /// Ends the trial because of the limit for all launches.
  void giveUp();

  /// If only the result is wrong: the first such launch, to be run with another compiler in several
  /// orders of threads, because the first compiler may have a bug.
  [[nodiscard]] std::optional<lab::Experiment> disputed() const;
  /// Accepts the result of disputed(). If all of these results are right, the compilers disagree,
  /// and nothing is judged.
  void settle(const lab::RunResult& result);
  /// Reports that the other compiler exists but gave no result, because of `why`. Nothing is
  /// judged, because that result might change the verdict.
  void leaveDisputeOpen(const Error& why);

  /// Whether a time limit prevented a judgement, so that a less busy machine might give another
  /// grade. An endless kernel is not late, because it reaches a limit of instructions.
  [[nodiscard]] bool wasLate() const { return late_; }

  /// The grade, without id, file, hash and seconds.
  [[nodiscard]] Grade grade() const;

 private:
  [[nodiscard]] bool launchesAreOver() const;
  void takeLaunch(const lab::RunResult& result);
  void takeTrace(const lab::RunResult& result);
  void notePlace(const lab::RunResult& result);
  void addCounts(const lab::RunResult& result);
  [[nodiscard]] Verdict verdict() const;
  [[nodiscard]] std::string reason() const;
  [[nodiscard]] std::string forStudent(const Grade& grade) const;
  [[nodiscard]] std::vector<Trouble> troubles(const Grade& grade) const;
  [[nodiscard]] Row rowOf(lab::Criterion criterion) const;
  [[nodiscard]] Row rowOf(const CountRule& rule) const;

  const Assignment& assignment_;
  std::optional<compile::SpecifiedKernel> kernel_;
  lab::Judgement judgement_;
  TroubleLog log_;
  std::string refused_, unjudged_, failed_;
  bool isRefused_ = false;  ///< A compiler rejects the file, or its kernel does not fit the spec.
  bool late_ = false;
  bool neverRan_ = false;                 ///< The source alone prevents a judgement.
  size_t done_ = 0;                       ///< Launches that were run.
  bool over_ = false;                     ///< No more launches are needed.
  size_t rightOnes_ = 0;                  ///< Launches with the right result.
  std::vector<LaunchCounts> counts_;      ///< By launch.
  std::set<std::string> withoutAtomics_;  ///< Counters from which some accesses are missing.
  std::map<std::string, std::string> whyUncertain_;  ///< Reasons, by counter.
  std::optional<FailurePlace> place_;
  std::optional<size_t> firstFailed_;  ///< The first launch that failed.
  std::optional<size_t> firstWrong_;   ///< The first launch with only a wrong result.
  bool disagree_ = false;              ///< The compilers disagree, or may.
  size_t rightElsewhere_ = 0;          ///< Orders in which the other compiler's result is right.
  bool wrongElsewhere_ = false;        ///< The other compiler's result is wrong, too.
  std::string compiler_;               ///< The compiler of firstWrong_.
  /// The search for the block that stored the wrong element.
  struct Search {
    size_t launch = 0;
    uint32_t operand = 0;
    uint64_t element = 0;
    std::vector<Dim3> blocks;  ///< In the order of the search.
    size_t tried = 0;
  };
  std::optional<Search> search_;
};

}  // namespace tilestep::grade
