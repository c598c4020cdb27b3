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
#include "features/names.h"
#include "lab/experiment.h"
#include "model/jobs.h"

namespace tilestep::features {

/// The runs whose values the open lesson shows. A background thread reads recordings; the
/// interpreter's runs are requested one by one (`wanted`). Keeps all results. For one thread.
class LessonFigures {
 public:
  using FindKernel = std::function<Result<compile::KernelSource>(const std::string&)>;

  /// Collects the values that `lesson` shows. Call again to retry failures or use new kernels.
  void open(std::shared_ptr<const Lesson> lesson, const std::string& home, const FindKernel& find);
  void close();
  /// Sets the device whose limits the window shows; absent if there is no such device.
  void show(const std::optional<device::DeviceInfo>& device);

  /// Collects finished recordings. Returns true if there are new values.
  bool poll();
  [[nodiscard]] bool reads() const { return !reading_.empty(); }
  /// The interpreter's next run; null if none is needed. Valid until the next call.
  [[nodiscard]] const Request* wanted() const;
  void accept(const lab::RunResult& result);    ///< Stores the result of the wanted run.
  void acceptError(const std::string& reason);  ///< Stores the error of the wanted run.

  /// Returns the same pointer until its contents change.
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
    Request request;
    std::vector<std::string> paths;
  };
  static Known knownOf(const lab::RunResult& result, const device::Ceilings* ceilings,
                       const std::vector<std::string>& paths);
  static Known failed(const std::vector<std::string>& paths, const Error& error);
  static Read readRecorded(const std::string& file, const std::vector<Run>& runs);

  void learn(const std::string& key, Known known);
  void learnDevice();
  [[nodiscard]] std::shared_ptr<const FilledStep> fillStep(size_t step) const;
  void forgetFailures();
  void readRecordings(const std::string& home);
  [[nodiscard]] Result<std::optional<lab::ResultValue>> find(const FigureValue&) const;

  std::optional<device::DeviceInfo> device_;
  std::shared_ptr<const Lesson> lesson_;
  std::vector<Run> runs_;  ///< In the lesson's order.
  std::map<std::string, Known> known_;
  std::vector<std::future<Read>> reading_;
  /// The texts of step `filledStep_`; null if new values have arrived since.
  std::shared_ptr<const FilledStep> filled_;
  size_t filledStep_ = 0;
};

}  // namespace tilestep::features
