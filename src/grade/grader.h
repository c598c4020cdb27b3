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
  /// Starts a worker with another compiler, for results that are disputed. Empty: there is none.
  StartWorker startOther;
};

struct GraderEvents {
  /// Called once with each submission's grade, in the order of completion.
  std::function<void(size_t index, Grade grade)> done;
  /// A submission reached a time limit and will be graded again, alone, after the others. May be
  /// empty.
  std::function<void(size_t index)> late;
  /// Called every few milliseconds; true ends the grading.
  std::function<bool()> interrupted;
  /// Called equally often.
  std::function<void()> tick;
};

/// Grades `submissions`, `atATime` at once, each in a worker of its own that ends with it. A worker
/// that ends by itself is replaced once; if the replacement ends, too, the verdict is `failed`, and
/// the others continue. A submission that was late (Trial::wasLate) is graded again, alone, after
/// all others, and that grade counts. Returns when all are done, or when interrupted; submissions
/// that are then running or late have no grade. One thread.
void gradeAll(const Assignment& assignment, const std::vector<Submission>& submissions,
              unsigned atATime, const GraderWorkers& workers, const GraderEvents& events);

/// Runs the solution at all launches, and keeps its counts if a rule needs them. Errors: the
/// solution cannot be run, is not right, or has no certain count of a rule's counter, or the run
/// was interrupted.
Status checkSolution(Assignment& assignment, const compile::KernelSource& solution,
                     worker::Client& client, const std::function<bool()>& interrupted);

/// Sentences for the teacher: the launches at which a counter is not compared, because the
/// solution's count is uncertain there.
[[nodiscard]] std::vector<std::string> launchesLeftOut(const Assignment& assignment);

}  // namespace tilestep::grade
