// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/lessons/filled_step.h"
#include "features/lessons/lesson.h"
#include "lab/experiment.h"

namespace tilestep::model {

/// The runs whose values the open lesson shows. Recordings are read here, on another thread; runs
/// in the interpreter are asked for one after the other (`wanted`). What has come is kept when the
/// lesson is closed. One thread.
class LessonFigures {
 public:
  using FindKernel = std::function<Result<compile::KernelSource>(const std::string&)>;

  /// Begins to work out what `lesson` shows; again after kernels have changed. What failed before
  /// is tried again.
  void open(std::shared_ptr<const Lesson> lesson, const std::string& home, const FindKernel& find);
  void close();

  /// Takes what was read. True when something has come.
  bool poll();
  [[nodiscard]] bool reads() const { return !reading_.empty(); }
  /// The next run for the interpreter; null: none is needed. Lives until the next call of anything.
  [[nodiscard]] const lab::Experiment* wanted() const;
  void accept(const lab::RunResult& result);    ///< Of the wanted run.
  void acceptError(const std::string& reason);  ///< Likewise.

  /// The same one until what it shows changes.
  [[nodiscard]] std::shared_ptr<const FilledStep> filled(size_t step);
  [[nodiscard]] RightAnswer answerTo(const Ask& ask) const;

 private:
  struct Known {
    std::map<std::string, Result<lab::ResultValue>> values;  ///< By path.
    std::string origin;
  };
  using Read = std::map<std::string, Known>;  ///< By key.
  struct Run {
    std::string key;
    lab::Experiment experiment;
    std::vector<std::string> paths;
  };
  static Known knownOf(const lab::RunResult& result, const device::Ceilings* ceilings,
                       const std::vector<std::string>& paths);
  static Known failed(const std::vector<std::string>& paths, const Error& error);
  static Read readRecorded(const std::string& file, const std::vector<Run>& runs);

  void learn(const std::string& key, Known known);
  [[nodiscard]] std::shared_ptr<const FilledStep> fillStep(size_t step) const;
  void forgetFailures();
  void readRecordings(const std::string& home);
  [[nodiscard]] Result<std::optional<lab::ResultValue>> find(const FigureValue&) const;

  std::shared_ptr<const Lesson> lesson_;
  std::vector<Run> runs_;  ///< By the lesson's.
  std::map<std::string, Known> known_;
  std::vector<std::future<Read>> reading_;
  std::shared_ptr<const FilledStep> filled_;  ///< Of `filledStep_`; null once more is known.
  size_t filledStep_ = 0;
};

}  // namespace tilestep::model
