// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <optional>

#include "features/names.h"
#include "gfx/detail.h"

namespace tilestep::features {

/// Makes levels of detail of large matrices: small ones immediately, large ones on a background
/// thread, so that no frame waits. Keeps the most recent ones. Call all functions from one thread.
class DetailLoader {
 public:
  struct Matrix {
    std::shared_ptr<const gfx::ValueSource> source;
    uint32_t rows = 0, columns = 0;
  };
  /// The whole matrix in at most kOverviewSide values per side; null until it is available.
  std::shared_ptr<const gfx::Picture> overview(const Matrix& matrix);
  /// The best available detail for `seen`. If no detail covers `seen` with enough resolution,
  /// requests one and returns the latest detail shown for this matrix. `place` identifies the
  /// caller; its newest request replaces a waiting request.
  gfx::Detail detail(unsigned place, const Matrix& matrix, const gfx::DetailRequest& seen);
  /// A level of detail is being made, so call again soon.
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
  void beginNext();

  std::deque<Made> made_;  ///< Newest last.
  std::map<unsigned, std::pair<std::shared_ptr<const gfx::ValueSource>, gfx::Detail>> shown_;
  std::deque<Wish> wishes_;  ///< Not begun yet.
  std::optional<Wish> making_;
  std::future<Made> inProgress_;  ///< The result of `making_`. Its destructor waits.
};

}  // namespace tilestep::features
