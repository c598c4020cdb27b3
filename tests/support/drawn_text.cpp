// SPDX-License-Identifier: Apache-2.0
#include "support/drawn_text.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <regex>

#include "support/known_fonts.h"

namespace tilestep::support {
namespace {

/// Less than half of it is inside the clip rectangle.
bool isCut(const ImVec2& from, const ImVec2& to, const ImVec4& clip) {
  const float width = std::min(to.x, clip.z) - std::max(from.x, clip.x);
  const float height = std::min(to.y, clip.w) - std::max(from.y, clip.y);
  return width < 0.5F * (to.x - from.x) || height < 0.5F * (to.y - from.y);
}

/// "##step/##scroll_1A2B3C4D" becomes "step/scroll": what ImGui adds tells a reader nothing.
std::string nameOf(const char* window) {
  static const std::regex added("#+|_[0-9A-F]{8}(?=/|$)");
  return std::regex_replace(window, added, "");
}

void append(std::string& text, ImWchar sign) {
  char bytes[5] = {};
  text += ImTextCharToUtf8(bytes, sign);
}

/// Joins the signs of one draw list to texts.
class Joiner {
 public:
  explicit Joiner(std::string panel) : panel_(std::move(panel)) {}

  void add(const KnownSign& sign) {
    const std::optional<int> spaces = spacesBefore(sign);
    if (!spaces) begin(sign);
    texts_.back().text += std::string(static_cast<size_t>(spaces.value_or(0)), ' ');
    append(texts_.back().text, sign.sign);
    texts_.back().right = sign.left + sign.advance;
  }

  std::vector<DrawnText> take() { return std::move(texts_); }

 private:
  /// Between the last sign and this one, where both stand in one text.
  [[nodiscard]] std::optional<int> spacesBefore(const KnownSign& sign) const {
    if (texts_.empty()) return std::nullopt;
    const DrawnText& text = texts_.back();
    if (std::fabs(text.height - sign.height) > 0.5F || std::fabs(text.top - sign.top) > 0.5F)
      return std::nullopt;
    const float room = sign.left - text.right, spaces = std::round(room / sign.space);
    // Pieces of a text begin at whole pixels.
    if (spaces < 0 || spaces > 2 || std::fabs(room - spaces * sign.space) > 0.1F * sign.height)
      return std::nullopt;
    return static_cast<int>(spaces);
  }

  void begin(const KnownSign& sign) {
    texts_.push_back({panel_, "", sign.left, sign.top, sign.left, sign.height});
  }

  std::string panel_;
  std::vector<DrawnText> texts_;
};

std::vector<DrawnText> textsOf(const ImDrawList& list) {
  Joiner joiner(nameOf(list._OwnerName == nullptr ? "" : list._OwnerName));
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr) continue;
    for (unsigned i = 0; i + 5 < command.ElemCount;) {
      const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset + i;
      const ImDrawVert* v = list.VtxBuffer.Data + command.VtxOffset + index[0];
      const bool quad = index[1] == index[0] + 1 && index[2] == index[0] + 2 &&
                        index[3] == index[0] && index[4] == index[2] && index[5] == index[0] + 3;
      const std::optional<KnownSign> sign = quad ? knownSign(v[0], v[2]) : std::nullopt;
      if (sign && !isCut(v[0].pos, v[2].pos, command.ClipRect)) joiner.add(*sign);
      i += sign ? 6 : 3;
    }
  }
  return joiner.take();
}

}  // namespace

std::vector<DrawnText> drawnTexts() {
  std::vector<DrawnText> all;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i)
    for (DrawnText& text : textsOf(*data.CmdLists[i])) all.push_back(std::move(text));
  return all;
}

}  // namespace tilestep::support
