// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "features/names.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// Drawing helpers of the two pictures: small texts, and elements in a warp's colour or hatched.
class Ink {
 public:
  explicit Ink(const Context& context)
      : context_(context), list_(*ImGui::GetWindowDrawList()), small_(context.fonts.smallPixels) {}

  [[nodiscard]] float small() const { return small_; }
  [[nodiscard]] ImDrawList& list() const { return list_; }
  [[nodiscard]] float widthOf(const std::string& what) const;
  void text(ImVec2 at, const std::string& what, gfx::Color color) const;
  void textRight(float right, float y, const std::string& what, gfx::Color color) const;
  void strong(ImVec2 at, const std::string& what) const;
  /// A heading over a picture, followed by muted text if the two fit into `width`.
  void title(ImVec2 at, const std::string& what, const std::string& aside, float width) const;

  /// Marks bytes that move but were not requested.
  void hatch(ImVec2 min, ImVec2 max, float alpha) const;

 private:
  const Context& context_;
  ImDrawList& list_;
  float small_;
};

/// The least n of 1, 2, 4, … such that texts of height `small` fit beside every n-th row.
[[nodiscard]] uint64_t rowsApart(float rowHeight, float small);

}  // namespace tilestep::features
