// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "grade/grade.h"
#include "grade/submission.h"
#include "grade/trial.h"
#include "worker/client.h"

namespace tilestep::grade {

/// Starts a worker for one submission.
using StartWorker = std::function<Result<std::unique_ptr<worker::Client>>()>;

struct GraderWorkers {
  StartWorker start;
  /// One whose compiler is another than the first choice, for results that are disputed. Empty:
  /// there is none.
  StartWorker startOther;
};

struct GraderEvents {
  /// A submission has its grade; called once for each, in the order in which they end.
  std::function<void(size_t index, Grade grade)> done;
  /// A limit of time kept something of it from being judged: it is graded once more, alone, after
  /// the others. May be empty.
  std::function<void(size_t index)> late;
  /// Asked every few milliseconds; true ends the grading.
  std::function<bool()> interrupted;
  /// As often.
  std::function<void()> tick;
};

/// Grades `submissions`, each in a worker of its own that ends with it, `atATime` of them at
/// once. A worker that ends by itself is replaced once for its submission; after that the
/// submission's verdict is `failed`, and the others go on. One that was late (Trial::wasLate) is
/// graded anew once all others are done, with nothing beside it, and that grade counts. Returns
/// when all are done, or when interrupted; submissions that were under way or late then have no
/// grade. One thread.
void gradeAll(const Assignment& assignment, const std::vector<Submission>& submissions,
              unsigned atATime, const GraderWorkers& workers, const GraderEvents& events);

/// Runs the solution at all launches, and keeps its counts where a rule needs them. Errors: it
/// cannot be run, is not right, has no certain count of a rule's counter, or was interrupted.
Status checkSolution(Assignment& assignment, const compile::KernelSource& solution,
                     worker::Client& client, const std::function<bool()>& interrupted);

/// For the teacher: at which launches a counter of a rule is left out, because the solution's count
/// is uncertain.
[[nodiscard]] std::vector<std::string> launchesLeftOut(const Assignment& assignment);

}  // namespace tilestep::grade
