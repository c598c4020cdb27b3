// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/code_editor.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <utility>

#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

constexpr int kTab = 4;  ///< The width of a tab in blanks, as in Dear ImGui.

/// Number of characters of a UTF-8 text; a tab counts as four.
size_t columnsOf(std::string_view text) {
  size_t columns = 0;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!continues) columns += c == '\t' ? kTab : 1;
  }
  return columns;
}

/// The text's width in pixels, not rounded as by ImGui::CalcTextSize.
float widthOf(const char* text) {
  return ImGui::GetFont()->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text).x;
}

size_t lengthOf(const SourceLine& line) {
  size_t columns = 0;
  for (const Token& token : line) columns += columnsOf(token.text);
  return columns;
}

const CodeMark* markOf(const std::vector<CodeMark>& marks, size_t index) {
  const auto at = std::ranges::find(marks, static_cast<uint32_t>(index + 1), &CodeMark::line);
  return at == marks.end() ? nullptr : &*at;
}

/// The indentation for a new line here: that of the previous line, plus two blanks after an opening
/// brace.
std::string indentBefore(const char* text, int place) {
  int start = place - 1;  // The end of the previous line.
  while (start > 0 && text[start - 1] != '\n') --start;
  std::string indent;
  for (int i = start; i < place - 1 && (text[i] == ' ' || text[i] == '\t'); ++i) indent += text[i];
  int last = place - 2;
  while (last >= start && (text[last] == ' ' || text[last] == '\t')) --last;
  if (last >= start && text[last] == '{') indent += "  ";
  return indent;
}

}  // namespace

int CodeEditor::onEdit(ImGuiInputTextCallbackData* data) {
  auto& self = *static_cast<CodeEditor*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    self.buffer_.resize(static_cast<size_t>(data->BufTextLen));
    data->Buf = self.buffer_.data();
    return 0;
  }
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
    if (data->EventChar == '\r') return 1;
    self.entered_ = self.entered_ || data->EventChar == '\n';
    return 0;
  }
  const int caret = data->CursorPos;
  if (std::exchange(self.entered_, false) && caret > 0 && data->Buf[caret - 1] == '\n') {
    const std::string indent = indentBefore(data->Buf, caret);
    if (!indent.empty()) data->InsertChars(caret, indent.c_str());
  }
  const auto now = static_cast<size_t>(data->CursorPos);
  self.caretMoved_ = self.caretMoved_ || now != self.caret_;
  self.caret_ = now;
  if (self.wanted_ > 0) {
    int place = 0;
    for (uint32_t line = 1; line < self.wanted_ && place < data->BufTextLen; ++place)
      if (data->Buf[place] == '\n') ++line;
    data->CursorPos = data->SelectionStart = data->SelectionEnd = place;
    self.caret_ = static_cast<size_t>(place);
  }
  return 0;
}

void CodeEditor::take(const std::string& text, uint64_t number) {
  if (number == number_ && text == text_) return;
  const bool isOther = number != number_;
  number_ = number;
  if (text == text_) return;
  text_ = buffer_ = text;
  caret_ = std::min(caret_, text_.size());
  lines_ = highlight(text_);
  longest_ = 0;
  for (const SourceLine& line : lines_) longest_ = std::max(longest_, lengthOf(line));
  // The widget keeps the text that it edits until it loses the keyboard.
  if (isOther && active_) {
    ImGui::ClearActiveID();
    focusWanted_ = true;
  }
}

bool CodeEditor::draw(const Context& context, const std::string& text, uint64_t number,
                      const CodeOverlay& overlay) {
  take(text, number);
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  compat::beginChild("code editor", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  const float lineHeight = ImGui::GetFontSize(), sign = widthOf("0");
  const float gutter = 5.5F * sign;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = std::max(room.x, gutter + static_cast<float>(longest_ + 8) * sign);
  const float height = std::max(room.y, static_cast<float>(lines_.size() + 2) * lineHeight);
  drawLines(context, overlay, lineHeight, gutter);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gutter);
  const bool changed = edit(context, width - gutter, height);
  drawCaret(context, {start.x + gutter, start.y}, lineHeight);
  follow(lineHeight, gutter);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  return changed;
}

bool CodeEditor::edit(const Context& context, float width, float height) {
  constexpr ImGuiInputTextFlags kFlags =
      ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_CallbackResize |
      ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCharFilter |
      ImGuiInputTextFlags_NoHorizontalScroll;
  if (std::exchange(focusWanted_, false)) {
    ImGui::SetKeyboardFocusHere();
    context.ui.typingSoon = true;
  }
  // By default, Escape would restore the text that the field had when it got the keyboard.
  const bool escapes = active_ && compat::isEscapePressed();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
  for (const ImGuiCol each : {ImGuiCol_Text, ImGuiCol_FrameBg, ImGuiCol_ChildBg})
    ImGui::PushStyleColor(each, 0);
  ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, colour(context.palette.accent, 0.35F));
  const bool changed =
      ImGui::InputTextMultiline("##text", buffer_.data(), buffer_.capacity() + 1, {width, height},
                                kFlags, &CodeEditor::onEdit, this);
  active_ = ImGui::IsItemActive();
  context.ui.codeTyping = active_;
  ImGui::PopStyleColor(4);
  ImGui::PopStyleVar(3);
  if (escapes) {
    buffer_ = text_;
    return false;
  }
  if (!changed) return false;
  std::string now(buffer_.c_str());
  if (now == text_) return false;
  text_ = std::move(now);
  lines_ = highlight(text_);
  longest_ = 0;
  for (const SourceLine& line : lines_) longest_ = std::max(longest_, lengthOf(line));
  return true;
}

/// `at` is the position where the line's text starts.
void CodeEditor::drawFound(const Context& context, const std::string& found, size_t line, ImVec2 at,
                           float lineHeight) const {
  if (found.empty()) return;
  std::string text;
  for (const Token& token : lines_[line]) text += token.text;
  const float sign = widthOf("0");
  const std::string_view whole = text;
  for (size_t from = whole.find(found); from != std::string_view::npos;
       from = whole.find(found, from + found.size())) {
    const float left = at.x + static_cast<float>(columnsOf(whole.substr(0, from))) * sign;
    const float width = static_cast<float>(columnsOf(found)) * sign;
    ImGui::GetWindowDrawList()->AddRectFilled({left, at.y}, {left + width, at.y + lineHeight},
                                              colour(context.palette.chosen, 0.35F));
  }
}

void CodeEditor::drawLines(const Context& context, const CodeOverlay& overlay, float lineHeight,
                           float gutter) const {
  const gfx::Palette& p = context.palette;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float sign = widthOf("0");
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
  const float left = ImGui::GetWindowPos().x, right = left + ImGui::GetWindowWidth();
  const auto first = static_cast<size_t>(std::max(0.0F, (top - start.y) / lineHeight));
  for (size_t i = first; i < lines_.size(); ++i) {
    const float y = start.y + static_cast<float>(i) * lineHeight;
    if (y > bottom) break;
    const CodeMark* mark = markOf(overlay.marks, i);
    if (mark != nullptr) {
      const gfx::Color ink = p.warning;
      list.AddRectFilled({left, y}, {right, y + lineHeight}, colour(ink, 0.14F));
      list.AddRectFilled({left, y}, {left + 0.3F * sign, y + lineHeight}, colour(ink));
    }
    const bool isRunning = std::ranges::count(overlay.running, static_cast<uint32_t>(i + 1)) > 0;
    if (isRunning)
      list.AddRectFilled({start.x + gutter - 0.8F * sign, y},
                         {start.x + gutter - 0.4F * sign, y + lineHeight}, colour(p.chosen));
    drawFound(context, overlay.found, i, {start.x + gutter, y}, lineHeight);
    char number[24];
    std::snprintf(number, sizeof number, "%4zu", i + 1);
    list.AddText({start.x, y}, colour(mark != nullptr ? p.text : p.mutedText), number);
    float x = start.x + gutter;
    for (const Token& token : lines_[i]) {
      list.AddText({x, y}, colour(colourOf(p, token.kind)), token.text.c_str());
      x += widthOf(token.text.c_str());
    }
    if (mark == nullptr || mark->text.empty()) continue;
    const float from = std::max(x + 2 * sign, start.x + gutter + 20 * sign);
    const std::string shown = cutTo(mark->text, right - from - sign);
    if (right - from > 12 * sign)
      list.AddText({from, y}, colour(gfx::inkOf(p.warning, p)), shown.c_str());
    // No tooltip over the code itself, where the user types.
    const bool isOver = ImGui::IsMouseHoveringRect({left, y}, {start.x + gutter, y + lineHeight}) ||
                        ImGui::IsMouseHoveringRect({from, y}, {right, y + lineHeight});
    if (isOver && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows))
      showTooltip(context, mark->text);
  }
}

CodeEditor::Place CodeEditor::placeOf(size_t offset) const {
  const std::string_view before = std::string_view(text_).substr(0, offset);
  const size_t end = before.rfind('\n');
  const std::string_view line = end == std::string_view::npos ? before : before.substr(end + 1);
  return {static_cast<size_t>(std::ranges::count(before, '\n')), columnsOf(line)};
}

void CodeEditor::drawCaret(const Context& context, ImVec2 start, float lineHeight) const {
  if (!active_) return;
  const Place place = placeOf(caret_);
  const float sign = widthOf("0");
  const float x = start.x + static_cast<float>(place.column) * sign;
  const float y = start.y + static_cast<float>(place.line) * lineHeight;
  ImGui::GetWindowDrawList()->AddLine({x, y}, {x, y + lineHeight}, colour(context.palette.text),
                                      std::max(1.0F, 0.1F * sign));
}

/// Keeps the caret, or the requested line, visible.
void CodeEditor::follow(float lineHeight, float gutter) {
  const bool isWanted = wanted_ > 0;
  if (!isWanted && !(caretMoved_ && active_)) return;
  const Place place = isWanted ? Place{wanted_ - 1, 0} : placeOf(caret_);
  const float y = static_cast<float>(place.line) * lineHeight;
  const float view = ImGui::GetWindowHeight(), top = ImGui::GetScrollY();
  if (isWanted && (y < top || y + 3 * lineHeight > top + view))
    ImGui::SetScrollY(std::max(0.0F, y - view / 3));
  else if (y < top)
    ImGui::SetScrollY(y);
  else if (y + 2 * lineHeight > top + view)
    ImGui::SetScrollY(y + 2 * lineHeight - view);
  const float x = gutter + static_cast<float>(place.column) * widthOf("0");
  const float width = ImGui::GetWindowWidth(), left = ImGui::GetScrollX();
  if (x + gutter < width)
    ImGui::SetScrollX(0);
  else if (x - gutter < left)
    ImGui::SetScrollX(std::max(0.0F, x - gutter));
  else if (x + 4 * gutter / 5 > left + width)
    ImGui::SetScrollX(x + gutter - width);
  wanted_ = 0;
  caretMoved_ = false;
}

}  // namespace tilestep::ui
