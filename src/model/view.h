// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/shown.h"

namespace tilestep::model {

/// A remark beside a line of the main kernel's source.
struct LineNote {
  enum class Kind : uint8_t { barrier, removed, race };
  Kind kind = Kind::barrier;
  uint32_t line = 0;
  std::string text;
  uint32_t barrier = 0;  ///< The barrier call's index, from 1, if the call can be removed or
                         ///< restored; otherwise 0.
};

/// The display data of one feature at one time. Immutable once it is published.
///
/// A feature's view derives from this struct and names its feature: `static constexpr
/// std::string_view kFeature = "occupancy";`.
struct View {
  virtual ~View() = default;
  /// Adds the parts on which the rest of the window depends.
  virtual void addTo(Shown& /*shown*/) const {}
  std::string headline;  ///< Replaces the scene's sentence unless it is empty.
  std::string stepText;  ///< A text about the current step; may be empty.
  std::shared_ptr<const std::vector<LineNote>> lineNotes;  ///< By line; null for none.
  /// Some of its data is still being read or computed, so the window is busy.
  bool pending = false;
};
using ViewPointer = std::shared_ptr<const View>;

/// The views of all features at one time, by the names of their features.
class Views {
 public:
  void put(std::string_view feature, ViewPointer view) { all_[feature] = std::move(view); }
  /// Null if that feature has nothing to show.
  template <class V>
  [[nodiscard]] const V* get() const {
    const auto at = all_.find(V::kFeature);
    return at == all_.end() ? nullptr : static_cast<const V*>(at->second.get());
  }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

 private:
  std::map<std::string_view, ViewPointer> all_;
};

}  // namespace tilestep::model
