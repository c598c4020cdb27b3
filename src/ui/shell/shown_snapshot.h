// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "model/snapshot.h"

namespace tilestep::ui {

/// Chooses the snapshot that a frame draws. A frame in which taking answers took long draws the
/// earlier snapshot once more, and the next frame draws the new one: both together would make one
/// frame late. For the window's thread.
class ShownSnapshot {
 public:
  using Pointer = std::shared_ptr<const model::Snapshot>;

  /// `latest` must not be null. Late twice in a row would hide what is new, so every second frame
  /// at least draws `latest`.
  [[nodiscard]] Pointer forFrame(Pointer latest, bool tookLong) {
    const bool again = std::exchange(again_, false);
    if (!tookLong || again || !shown_) return shown_ = std::move(latest);
    again_ = true;
    return shown_;
  }

  /// Whether the last frame drew the earlier snapshot, so that the new one has still to be drawn.
  [[nodiscard]] bool isBehind() const { return again_; }

 private:
  Pointer shown_;
  bool again_ = false;  ///< The last frame drew the earlier one.
};

}  // namespace tilestep::ui
