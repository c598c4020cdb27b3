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

/// Everything that is the same for all submissions.
struct Assignment {
  compile::Spec spec;
  Rules rules;
  std::vector<HiddenLaunch> launches;
  /// The solution's counts by launch; empty where no rule needs them.
  std::vector<LaunchCounts> solution;
  double launchSeconds = 300;  ///< A launch that takes longer, with compiling, is not judged.
  double allSeconds = 600;     ///< A submission that takes longer altogether is not judged.
  uint64_t memoryBytes = 0;    ///< For a launch, and for compiling; 0: no limit.
  bool findsPlaces = false;    ///< Look for the line and the step of a wrong element.
};

/// The experiment that is to be run for a kernel at a launch, so that the result can be judged.
[[nodiscard]] lab::Experiment experimentFor(const Assignment& assignment,
                                            const compile::KernelSource& kernel,
                                            const HiddenLaunch& launch);

/// Whether a limit of time ended the launch, or what is done with its outputs.
[[nodiscard]] bool isLate(const lab::RunResult& result);

/// The grade of a submission that no kernel was run of, without id, file, hash and seconds.
/// `verdict`: refused, unjudged or failed. `reason`: in sentences that the student may read, except
/// where the grader failed.
[[nodiscard]] Grade gradeWithoutTrial(const Assignment& assignment, Verdict verdict,
                                      std::string reason);

/// One submission on its way through the launches. A value without a worker: who owns it runs
/// `next` and hands over what came of it.
class Trial {
 public:
  /// `text`: the submission's. The assignment must outlive the trial. What the file is called does
  /// not matter.
  Trial(const Assignment& assignment, const std::string& text);

  /// What is to be run next; nothing: the verdict is known.
  [[nodiscard]] std::optional<lab::Experiment> next() const;
  void take(const lab::RunResult& result);
  /// It could not be run.
  void take(const Error& error);
  /// The worker ended, or did not answer.
  void fail(const Error& why);

  /// It has taken longer than it may: what is not known by now is not judged.
  void giveUp();

  /// Where all that is wrong is the result: the first launch that shows it, for another compiler,
  /// in several orders of threads. The first one may have made something else of the kernel than
  /// C++ says.
  [[nodiscard]] std::optional<lab::Experiment> disputed() const;
  /// What came of it. Where all of these are right, the compilers disagree, and nothing is judged.
  void settle(const lab::RunResult& result);
  /// The other compiler is here, and what it makes of the kernel is not known, for the reason
  /// `why`: then nothing is judged, because its word might change the verdict.
  void leaveDisputeOpen(const Error& why);

  /// Whether a limit of time kept something from being judged, so that a machine that has less to
  /// do might give another grade. A kernel without end is not late: it reaches a limit of
  /// instructions.
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
  bool isRefused_ =
      false;  ///< A compiler refuses the text, or its kernel is not the one of the spec.
  bool late_ = false;
  bool neverRan_ = false;                 ///< What keeps it from being judged stands in its text.
  size_t done_ = 0;                       ///< Launches that were run.
  bool over_ = false;                     ///< No more launches are needed.
  size_t rightOnes_ = 0;                  ///< Launches that had the right result.
  std::vector<LaunchCounts> counts_;      ///< By launch.
  std::set<std::string> withoutAtomics_;  ///< Counts that leave some accesses out.
  std::map<std::string, std::string> whyUncertain_;  ///< What a GPU does otherwise, by counter.
  std::optional<FailurePlace> place_;
  std::optional<size_t> firstFailed_;  ///< The launch at which anything failed first.
  std::optional<size_t> firstWrong_;   ///< The launch whose result was the first to be wrong.
  bool disagree_ = false;              ///< Two compilers do, or may.
  size_t rightElsewhere_ = 0;          ///< In how many orders the other one's was right.
  bool wrongElsewhere_ = false;        ///< The other one's is wrong, too.
  std::string compiler_;               ///< Which one compiled that launch.
  /// The block whose trace is looked at next for the wrong element; and where that is.
  struct Search {
    size_t launch = 0;
    uint32_t operand = 0;
    uint64_t element = 0;
    std::vector<Dim3> blocks;  ///< In the order in which they are tried.
    size_t tried = 0;
  };
  std::optional<Search> search_;
};

}  // namespace tilestep::grade
