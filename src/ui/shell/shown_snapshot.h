// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "model/snapshot.h"

namespace tilestep::ui {

/// Chooses the snapshot that a frame draws. If handling answers took long, the frame draws the
/// earlier snapshot again and the next frame draws the new one, because doing both in one frame
/// would make it late. For the window's thread.
class ShownSnapshot {
 public:
  using Pointer = std::shared_ptr<const model::Snapshot>;

  /// `latest` must not be null. At least every second frame draws `latest`, so that slow frames in
  /// a row do not hide new content.
  [[nodiscard]] Pointer forFrame(Pointer latest, bool tookLong) {
    const bool again = std::exchange(again_, false);
    if (!tookLong || again || !shown_) return shown_ = std::move(latest);
    again_ = true;
    return shown_;
  }

  /// Whether the last frame drew the earlier snapshot, so that the new one must still be drawn.
  [[nodiscard]] bool isBehind() const { return again_; }

 private:
  Pointer shown_;
  bool again_ = false;  ///< The last frame drew the earlier one.
};

}  // namespace tilestep::ui
