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
  /// Starts a worker with another compiler, for disputed results. Empty if there is no other
  /// compiler.
  StartWorker startOther;
};

struct GraderEvents {
  /// Called once with each submission's grade, in the order of completion.
  std::function<void(size_t index, Grade grade)> done;
  /// A submission reached a time limit and will be graded again, alone, after all others. May be
  /// empty.
  std::function<void(size_t index)> late;
  /// Called every few milliseconds; true ends the grading.
  std::function<bool()> interrupted;
  /// Called as often as `interrupted`.
  std::function<void()> tick;
};

/// Grades `submissions`, `atATime` at once, each in its own worker, which ends with the submission.
/// A worker that ends by itself is replaced once; if the replacement also ends by itself, the
/// verdict is `failed`, and the grading continues. A late submission (Trial::wasLate) is graded
/// again, alone, after all others, and the second grade counts. Returns when all submissions are
/// graded, or when interrupted; submissions that are then running or late have no grade. For one
/// thread.
void gradeAll(const Assignment& assignment, const std::vector<Submission>& submissions,
              unsigned atATime, const GraderWorkers& workers, const GraderEvents& events);

/// Runs the solution at all launches, and keeps its counts if a rule needs them. Errors: the
/// solution cannot be run, is wrong, or has no certain count for a rule's counter, or the run was
/// interrupted.
Status checkSolution(Assignment& assignment, const compile::KernelSource& solution,
                     worker::Client& client, const std::function<bool()>& interrupted);

/// Sentences for the teacher: the launches at which a counter is not compared, because the
/// solution's count is uncertain there.
[[nodiscard]] std::vector<std::string> launchesLeftOut(const Assignment& assignment);

}  // namespace tilestep::grade
