// SPDX-License-Identifier: Apache-2.0
#include "grade/grader.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include "base/hash.h"
#include "base/sentence.h"

namespace tilestep::grade {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPause{5};

/// One submission while it is graded, with its worker.
class SubmissionRun {
 public:
  SubmissionRun(const Assignment& assignment, const Submission& submission, size_t index,
                const GraderWorkers& workers)
      : submission_(submission),
        index_(index),
        workers_(workers),
        mostSeconds_(assignment.allSeconds),
        begun_(Clock::now()) {
    if (!submission.problem.empty()) {
      hash_ = hashOf(submission);
      grade_ =
          gradeWithoutTrial(assignment, submission.refused ? Verdict::refused : Verdict::unjudged,
                            submission.problem);
      if (submission.forStudent.empty()) return;
      grade_.forStudent = submission.forStudent;
      grade_.troubles->front().detail = submission.forStudent;
      return;
    }
    const Result<std::string> text = readSubmission(submission.files.front());
    if (!text) {
      const bool refused = text.error().kind == ErrorKind::request;
      grade_ = gradeWithoutTrial(assignment, refused ? Verdict::refused : Verdict::failed,
                                 asSentence(text.error().message));
      return;
    }
    hash_ = hex64(fnv1a64(*text));
    trial_.emplace(assignment, *text);
    ask();
  }

  [[nodiscard]] size_t index() const { return index_; }
  [[nodiscard]] bool wasLate() const { return trial_ && trial_->wasLate(); }

  /// The grade, once it is known.
  std::optional<Grade> poll() {
    if (trial_ && client_) hear();
    if (trial_ && client_ && seconds() > mostSeconds_) {
      if (isDisputed_)
        trial_->leaveDisputeOpen(lateError("its launches had not ended after " +
                                           std::to_string(static_cast<int>(mostSeconds_)) +
                                           " s together"));
      else
        trial_->giveUp();
      client_.reset();
    }
    if (trial_ && client_) return std::nullopt;
    Grade grade = trial_ ? trial_->grade() : std::move(grade_);
    grade.id = submission_.id;
    grade.file = submission_.file;
    grade.hash = hash_;
    grade.seconds = seconds();
    return grade;
  }

 private:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begun_).count();
  }

  /// Requests the trial's next experiment. Ends the worker if there is none.
  void ask() {
    const std::optional<lab::Experiment> experiment = trial_->next();
    if (!experiment) return dispute();
    if (!client_ && !begin()) return;
    request_ = client_->run(*experiment);
  }

  /// Runs the disputed launch with another compiler, once, if that may change the verdict.
  void dispute() {
    client_.reset();
    const std::optional<lab::Experiment> experiment = trial_->disputed();
    if (!experiment || isDisputed_ || !workers_.startOther) return;
    isDisputed_ = true;
    Result<std::unique_ptr<worker::Client>> client = workers_.startOther();
    if (!client) return trial_->leaveDisputeOpen(client.error());
    client_ = std::move(*client);
    request_ = client_->run(*experiment);
  }

  bool begin() {
    Result<std::unique_ptr<worker::Client>> client = workers_.start();
    if (client) {
      client_ = std::move(*client);
      return true;
    }
    trial_->fail(client.error());
    return false;
  }

  void hear() {
    std::optional<worker::Reply> reply = client_->poll();
    if (!reply || reply->id != request_) return;
    if (isDisputed_) return hearOther(*reply);
    if (reply->lost) return startAgain(std::get<Error>(reply->body));
    if (const auto* result = worker::resultOf(*reply))
      trial_->take(*result);
    else if (const auto* error = std::get_if<Error>(&reply->body))
      trial_->take(*error);
    else
      trial_->fail(workError("The worker sent the wrong kind of reply."));
    ask();
  }

  /// If the other compiler is missing or rejects the source, the first compiler's verdict stays.
  void hearOther(const worker::Reply& reply) {
    const auto* error = std::get_if<Error>(&reply.body);
    if (error != nullptr && (reply.lost || error->kind == ErrorKind::work))
      trial_->leaveDisputeOpen(*error);
    const auto* result = worker::resultOf(reply);
    if (result == nullptr) return client_.reset();
    trial_->settle(*result);
    const std::optional<lab::Experiment> next = trial_->disputed();
    if (!next) return client_.reset();
    request_ = client_->run(*next);
  }

  void startAgain(Error why) {
    client_.reset();
    lostLate_ = lostLate_ || why.late;
    why.late = lostLate_;
    if (retried_)
      trial_->fail(why);
    else
      retried_ = true;
    ask();
  }

  const Submission& submission_;
  size_t index_;
  const GraderWorkers& workers_;
  double mostSeconds_;
  Clock::time_point begun_;
  std::string hash_;
  Grade grade_;                 ///< Used if there is no trial.
  std::optional<Trial> trial_;  ///< Present if the file could be read.
  std::unique_ptr<worker::Client> client_;
  uint64_t request_ = 0;
  bool retried_ = false;
  bool lostLate_ = false;    ///< A time limit ended one of its workers.
  bool isDisputed_ = false;  ///< The other compiler was used.
};

/// Absent if interrupted before the reply.
std::optional<worker::Reply> waitFor(worker::Client& client, uint64_t request,
                                     const std::function<bool()>& interrupted) {
  while (!interrupted()) {
    std::optional<worker::Reply> reply = client.poll();
    if (reply && reply->id == request) return reply;
    std::this_thread::sleep_for(kPause);
  }
  return std::nullopt;
}

/// The arguments of gradeAll().
struct Grading {
  const Assignment& assignment;
  const std::vector<Submission>& submissions;
  const GraderWorkers& workers;
  const GraderEvents& events;
};

/// Grades these submissions, `atATime` at once, and passes each grade to `ended`.
void gradeSome(const Grading& grading, const std::vector<size_t>& indices, unsigned atATime,
               const std::function<void(size_t index, Grade grade, bool wasLate)>& ended) {
  std::vector<std::unique_ptr<SubmissionRun>> runs(std::max(1u, atATime));
  size_t nextOne = 0, left = indices.size();
  while (left > 0 && !grading.events.interrupted()) {
    for (std::unique_ptr<SubmissionRun>& run : runs) {
      if (!run && nextOne < indices.size()) {
        const size_t index = indices[nextOne++];
        run = std::make_unique<SubmissionRun>(grading.assignment, grading.submissions[index], index,
                                              grading.workers);
      }
      if (!run) continue;
      std::optional<Grade> grade = run->poll();
      if (!grade) continue;
      const size_t index = run->index();
      const bool wasLate = run->wasLate();
      run.reset();
      --left;
      ended(index, std::move(*grade), wasLate);
    }
    grading.events.tick();
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

void gradeAll(const Assignment& assignment, const std::vector<Submission>& submissions,
              unsigned atATime, const GraderWorkers& workers, const GraderEvents& events) {
  const Grading grading{assignment, submissions, workers, events};
  std::vector<size_t> all(submissions.size()), late;
  std::iota(all.begin(), all.end(), size_t{0});
  gradeSome(grading, all, atATime, [&](size_t index, Grade grade, bool wasLate) {
    if (!wasLate) return events.done(index, std::move(grade));
    late.push_back(index);
    if (events.late) events.late(index);
  });
  // Late submissions are graded again, one after the other, while no other submission runs.
  gradeSome(grading, late, 1, [&](size_t index, Grade grade, bool wasLate) {
    if (wasLate) grade.reason += " It was tried twice, the second time alone.";
    events.done(index, std::move(grade));
  });
}

Status checkSolution(Assignment& assignment, const compile::KernelSource& solution,
                     worker::Client& client, const std::function<bool()>& interrupted) {
  Result<compile::SpecifiedKernel> kernel = compile::withSpec(solution, assignment.spec);
  if (!kernel) return kernel.error();
  for (const HiddenLaunch& launch : assignment.launches) {
    const std::optional<worker::Reply> reply =
        waitFor(client, client.run(experimentFor(assignment, kernel->source, launch)), interrupted);
    if (!reply) return workError("interrupted while the solution was running");
    if (const auto* error = std::get_if<Error>(&reply->body)) return *error;
    const auto* result = worker::resultOf(*reply);
    if (result == nullptr) return workError("the solution " + solution.path + " was not run");
    if (isLate(*result))
      return lateError("the solution " + solution.path + " had not ended at " + toText(launch) +
                       " after " + std::to_string(static_cast<int>(assignment.launchSeconds)) +
                       " s; the machine may be busy, so try again");
    if (!result->clean() || !result->check)
      return requestError("the solution " + solution.path + " is not right at " + toText(launch) +
                          "; fix it or the spec first. To see the fault: " +
                          commandFor(solution.path, assignment.spec.front.file, launch));
    if (assignment.rules.counts.empty()) continue;
    if (!result->counters) return workError("the solution " + solution.path + " was not counted");
    assignment.solution.push_back(
        {result->counters->total, lab::uncertainNames(result->uncertain)});
  }
  for (const CountRule& rule : assignment.rules.counts) {
    const auto isLeftOut = [&](const LaunchCounts& launch) {
      return isUncertain(launch, rule.counter);
    };
    if (std::ranges::all_of(assignment.solution, isLeftOut))
      return requestError(
          "the solution's " + rule.counter +
          " may differ on a GPU at every launch, so it cannot be marked; remove its "
          "rule");
  }
  return {};
}

std::vector<std::string> launchesLeftOut(const Assignment& assignment) {
  std::vector<std::string> sentences;
  for (const CountRule& rule : assignment.rules.counts)
    for (size_t i = 0; i < assignment.solution.size(); ++i)
      if (isUncertain(assignment.solution[i], rule.counter))
        sentences.push_back("the solution's " + rule.counter + " may differ on a GPU at " +
                            toText(assignment.launches[i]) + ", so it is not compared there");
  return sentences;
}

}  // namespace tilestep::grade
