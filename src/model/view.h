// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::model {

/// A remark beside a line of the main kernel's source.
struct LineNote {
  enum class Kind : uint8_t { barrier, removed, race };
  Kind kind = Kind::barrier;
  uint32_t line = 0;
  std::string text;
  uint32_t barrier = 0;  ///< Which call, from 1, where it can be taken away or put back; else 0.
};

/// What one feature shows at one moment. It never changes once it was published.
///
/// A feature's own view derives from it and names its feature: `static constexpr std::string_view
/// kFeature = "occupancy";`.
struct View {
  virtual ~View() = default;
  std::string headline;  ///< Stands for the scene's sentence where it is not empty.
  std::string stepText;  ///< What is to be said of the present step; may be empty.
  std::shared_ptr<const std::vector<LineNote>> lineNotes;  ///< By line; null for none.
  bool pending = false;  ///< Something in it is still read or worked out: the window is busy.
};
using ViewPointer = std::shared_ptr<const View>;

/// The views of all features at one moment, by the names of their features.
class Views {
 public:
  void put(std::string_view feature, ViewPointer view) { all_[feature] = std::move(view); }
  /// Null where that feature has nothing to show.
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
