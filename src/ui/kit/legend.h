// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/context.h"
#include "ui/kit/plot.h"

namespace tilestep::ui {

using DrawMark = std::function<void(ImDrawList& list, ImVec2 min, ImVec2 max)>;

struct LegendMark {
  std::string text;
  DrawMark draw;
};
[[nodiscard]] DrawMark filled(gfx::Color color);
[[nodiscard]] DrawMark outlined(gfx::Color color, float pixels);
[[nodiscard]] DrawMark plotMark(Mark mark, gfx::Color color, bool hollow);
/// A horizontal line through the middle.
[[nodiscard]] DrawMark ruled(gfx::Color color, float pixels);

/// The height in pixels of a legend with these entries, including the gap below each line. The
/// width is the rest of the current line.
[[nodiscard]] float legendHeight(const Context& context, const std::vector<LegendMark>& marks);

/// Explains the marks of a picture: entries in small type side by side, on as many lines as needed.
/// The width is the rest of the current line.
class Legend {
 public:
  explicit Legend(const Context& context);
  void add(const LegendMark& mark);
  /// A muted remark without a mark, omitted if it does not fit on the line.
  void addIfRoom(std::string_view text);

 private:
  /// Whether an item of this width in pixels fits on the current line.
  [[nodiscard]] bool hasRoom(float width) const;
  const Context& context_;
  float right_;
  bool isFirst_ = true;
};

}  // namespace tilestep::ui
