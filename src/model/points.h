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

/// The file of the user's points (lab/points/points_file.h), which a thread of its own reads and
/// writes, so that a slow disk or another process never holds up the window. The functions are for
/// one thread.
class Points {
 public:
  /// `file` empty: nothing is kept, and all work is done at once with no database. `shipped`: the
  /// folder of the shipped best tunables.
  Points(std::filesystem::path file, std::filesystem::path shipped)
      : path_(std::move(file)), shipped_(std::move(shipped)) {}
  ~Points();  ///< Waits until all is done.
  Points(const Points&) = delete;
  Points& operator=(const Points&) = delete;

  [[nodiscard]] bool isKept() const { return !path_.empty(); }

  /// Has `work` done after all that was posted before. It gets null where the file cannot be
  /// opened. arrived() reports that the answer is there, except where nothing is kept.
  template <class Answer>
  std::future<Answer> ask(std::function<Answer(const lab::Database* file)> work) {
    auto task = std::make_shared<std::packaged_task<Answer(const lab::Database*)>>(std::move(work));
    std::future<Answer> answer = task->get_future();
    post({{}, [task](const lab::Database* file) { (*task)(file); }});
    return answer;
  }
  /// Has `work` done, in one transaction with other writes that wait.
  void write(std::function<Status(const lab::Database& file)> work) {
    if (isKept()) post({std::move(work), {}});
  }

  /// Whether a question waits for its answer, or an answer for arrived().
  [[nodiscard]] bool reading() const;
  /// True where something was answered since the last call.
  bool arrived();
  /// Why the file cannot be opened or written, the first time that it fails.
  std::optional<Error> takeTrouble();

  /// The best tunables that are known for a device of this name; null until they have been read.
  std::shared_ptr<const lab::DeviceTuned> tuned(const std::string& device);
  /// Reads them again, because a command may have kept others; until then tuned() is as before.
  void readTunedAgain(const std::string& device);
  [[nodiscard]] bool isReadingTuned(const std::string& device) const;

 private:
  struct Task {
    std::function<Status(const lab::Database&)> write;
    std::function<void(const lab::Database*)> answer;  ///< One of the two.
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

  mutable std::mutex mutex_;  ///< For the members below.
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  size_t unanswered_ = 0;
  bool hasArrived_ = false, isEnding_ = false, hasFailed_ = false;
  std::optional<Error> trouble_;
};

}  // namespace tilestep::model
