// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "lab/tune/tuned.h"

namespace tilestep::model {

/// The file of the user's points (lab/points/points_file.h), read and written on a separate thread,
/// so that a slow disk or another process never delays the window. The functions are for one
/// thread.
class Points {
 public:
  /// If `file` is empty, nothing is kept, and all work is done at once without a database.
  /// `shipped` is the folder of the shipped best tunables.
  Points(std::filesystem::path file, std::filesystem::path shipped)
      : path_(std::move(file)), shipped_(std::move(shipped)) {}
  ~Points();  ///< Waits for all pending work.
  Points(const Points&) = delete;
  Points& operator=(const Points&) = delete;

  [[nodiscard]] bool isKept() const { return !path_.empty(); }

  /// Runs `work` after all work that was queued before. It receives null if the file cannot be
  /// opened. arrived() reports that the result is available, unless nothing is kept.
  template <class Answer>
  std::future<Answer> ask(std::function<Answer(const lab::Database* file)> work) {
    auto task = std::make_shared<std::packaged_task<Answer(const lab::Database*)>>(std::move(work));
    std::future<Answer> answer = task->get_future();
    post({{}, [task](const lab::Database* file) { (*task)(file); }});
    return answer;
  }
  /// Queues `work`, which runs in one transaction with other pending writes.
  void write(std::function<Status(const lab::Database& file)> work) {
    if (isKept()) post({std::move(work), {}});
  }

  /// Whether work of ask() is pending, or arrived() has not reported its result yet.
  [[nodiscard]] bool reading() const;
  /// True if the result of ask() has become available since the last call.
  bool arrived();
  /// The reason why the file cannot be opened or written; reported once.
  std::optional<Error> takeTrouble();

  /// The best known tunables for a device of this name; null until they have been read.
  std::shared_ptr<const lab::DeviceTuned> tuned(const std::string& device);
  /// Reads the tunables again, because a command may have added some; tuned() changes afterwards.
  void readTunedAgain(const std::string& device);
  [[nodiscard]] bool isReadingTuned(const std::string& device) const;

 private:
  struct Task {
    std::function<Status(const lab::Database&)> write;
    std::function<void(const lab::Database*)> answer;  ///< Exactly one of the two is set.
  };
  struct KnownTuned {
    std::future<lab::DeviceTuned> coming;
    std::shared_ptr<const lab::DeviceTuned> known;
  };
  void post(Task task);
  void work();

  const std::filesystem::path path_, shipped_;
  std::map<std::string, KnownTuned> tuned_;  ///< By device.
  std::thread thread_;

  mutable std::mutex mutex_;  ///< Guards the members below.
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  size_t unanswered_ = 0;
  bool hasArrived_ = false, isEnding_ = false, hasFailed_ = false;
  std::optional<Error> trouble_;
};

}  // namespace tilestep::model
