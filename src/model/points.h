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
#include <vector>

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
  /// Writes what waits, unless that fails once more.
  ~Points();
  Points(const Points&) = delete;
  Points& operator=(const Points&) = delete;

  [[nodiscard]] bool isKept() const { return !path_.empty(); }

  /// Has `work` done after all that was written before. It gets null where the file cannot be
  /// opened. An answer that is there is also reported by arrived().
  template <class Answer>
  std::future<Answer> ask(std::function<Answer(const lab::Database* file)> work) {
    auto task = std::make_shared<std::packaged_task<Answer(const lab::Database*)>>(std::move(work));
    std::future<Answer> answer = task->get_future();
    post([task](const lab::Database* file) { (*task)(file); });
    return answer;
  }
  /// Has `work` done in one transaction with all that waits. If that fails, it is done again with
  /// the next write, so it may run several times.
  void write(std::function<Status(const lab::Database& file)> work);

  /// Whether a question waits for its answer, or an answer for arrived().
  [[nodiscard]] bool reading() const;
  /// True where something was answered since the last call.
  bool arrived();
  /// Why the file cannot be opened or written; each failure once, until writing succeeds again.
  std::optional<Error> takeTrouble();

  /// The best tunables that are known for a device of this name; null until they have been read.
  std::shared_ptr<const lab::DeviceTuned> tuned(const std::string& device);
  /// Reads them again, because a command may have kept others; until then tuned() is as before.
  void readTunedAgain(const std::string& device);
  [[nodiscard]] bool isReadingTuned(const std::string& device) const;
  /// Keeps a choice; returns an older one that remains, as lab::keepTuned. Only where isKept().
  std::future<Result<std::optional<lab::Tuned>>> keep(compile::KernelSpec spec, lab::Tuned tuned);

 private:
  using Question = std::function<void(const lab::Database*)>;
  using Write = std::function<Status(const lab::Database&)>;
  struct KnownTuned {
    std::future<lab::DeviceTuned> coming;
    std::shared_ptr<const lab::DeviceTuned> known;
  };
  void post(Question question);
  void work();
  Status writeAll(const std::deque<Write>& writes);
  void start();

  const std::filesystem::path path_, shipped_;
  std::map<std::string, KnownTuned> tuned_;  ///< By device.

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  // Shared with the thread.
  std::deque<Question> questions_;
  std::deque<Write> writes_;
  size_t unanswered_ = 0;
  bool hasArrived_ = false, hasNews_ = false, isEnding_ = false;
  std::optional<Error> trouble_;
  // The thread's own.
  std::optional<lab::Database> database_;
  bool isTroubled_ = false;
  std::thread thread_;
};

}  // namespace tilestep::model
