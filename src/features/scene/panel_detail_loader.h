// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "gfx/detail.h"

namespace tilestep::ui {

/// Makes levels of detail of large matrices: small ones at once, large ones on a thread of its own,
/// so that no frame waits. Keeps the latest few. For one thread, but for its own.
class DetailLoader {
 public:
  DetailLoader() = default;
  ~DetailLoader();  ///< Waits for what is being made.
  DetailLoader(const DetailLoader&) = delete;
  DetailLoader& operator=(const DetailLoader&) = delete;

  struct Matrix {
    std::shared_ptr<const gfx::ValueSource> source;
    uint32_t rows = 0, columns = 0;
  };
  /// The whole matrix in at most kOverviewSide values a side; null until it is there.
  std::shared_ptr<const gfx::Picture> overview(const Matrix& matrix);
  /// What is best for `seen`: something that covers it as finely, else the latest that was so of
  /// this matrix, while what is better is being made. `place` names who looks: its newest wish
  /// takes the place of an older one that waits.
  gfx::Detail detail(unsigned place, const Matrix& matrix, const gfx::DetailRequest& seen);
  /// Something is being made: look again soon.
  [[nodiscard]] bool busy() const;

  static constexpr uint32_t kOverviewSide = 1024;

 private:
  struct Wish {
    unsigned place = 0;
    Matrix matrix;
    gfx::DetailRequest request;
    bool operator==(const Wish& other) const {
      return matrix.source == other.matrix.source && request == other.request;
    }
  };
  struct Made {
    Wish wish;
    std::shared_ptr<const gfx::Picture> picture;
  };
  [[nodiscard]] const Made* find(const Matrix& matrix, const gfx::DetailRequest& seen) const;
  void ask(const Wish& wish);
  void collect();
  void keep(Made made);
  void work();

  std::deque<Made> made_;  ///< Newest last.
  std::map<unsigned, std::pair<std::shared_ptr<const gfx::ValueSource>, gfx::Detail>> shown_;
  std::thread thread_;
  mutable std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable changed_;
  std::deque<Wish> wishes_;
  std::optional<Wish> making_;
  std::deque<Made> done_;
  bool ends_ = false;
};

}  // namespace tilestep::ui
