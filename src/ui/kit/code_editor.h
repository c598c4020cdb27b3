// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ui/kit/context.h"
#include "ui/kit/highlight.h"

namespace tilestep::ui {

/// A note beside a line of the text, which marks the line.
struct CodeMark {
  uint32_t line = 0;  ///< From 1.
  std::string text;   ///< Shown on hover, and after the line if there is space.
};

/// Marks that are drawn over the text, in addition to its colours.
struct CodeOverlay {
  std::vector<CodeMark> marks;
  std::vector<uint32_t> running;  ///< Lines that run in the displayed step, from 1.
  std::string found;  ///< A string whose occurrences are marked; empty if there is none.
};

/// An editable text with line numbers, colours and marks. It keeps the widget's state between
/// frames; the text belongs to the caller.
class CodeEditor {
 public:
  /// Draws the editor into the rest of the window's content area. Returns true if the user changed
  /// the text; text() then returns the new text. The caller increases `number` when it replaces
  /// `text` by a text that was not typed in this editor.
  bool draw(const Context& context, const std::string& text, uint64_t number,
            const CodeOverlay& overlay);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Scrolls to the line and places the caret there in the next frame.
  void goTo(uint32_t line) { wanted_ = line; }

 private:
  struct Place {
    size_t line = 0, column = 0;  ///< Both from 0; columns count characters.
  };
  void take(const std::string& text, uint64_t number);
  void drawLines(const Context& context, const CodeOverlay& overlay, float lineHeight,
                 float gutter) const;
  void drawFound(const Context& context, const std::string& found, size_t line, ImVec2 at,
                 float lineHeight) const;
  void drawCaret(const Context& context, ImVec2 start, float lineHeight) const;
  bool edit(const Context& context, float width, float height);
  void follow(float lineHeight, float gutter);
  [[nodiscard]] Place placeOf(size_t offset) const;
  static int onEdit(ImGuiInputTextCallbackData* data);

  std::string text_, buffer_;
  uint64_t number_ = 0;
  std::vector<SourceLine> lines_;
  size_t longest_ = 0;    ///< Characters of the longest line.
  size_t caret_ = 0;      ///< Byte offset in the text.
  bool entered_ = false;  ///< Enter was typed.
  bool active_ = false, focusWanted_ = false, caretMoved_ = false;
  uint32_t wanted_ = 0;
};

}  // namespace tilestep::ui
