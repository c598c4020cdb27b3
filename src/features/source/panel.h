// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "features/names.h"
#include "ui/kit/context.h"
#include "ui/kit/highlight.h"

namespace tilestep::features {

/// After a click in a window that calls this, typed letters are not the window's keys.
void noteCodeClick(const Context& context);

/// Draws a token, `width` pixels wide. A covered token is drawn as a plain block.
void drawToken(const Context& context, ImFont* font, ImVec2 at, float width, const Token& token);

/// The main kernel's PTX next to its source.
void drawPtx(const Context& context);

/// The source listing. Caches the highlighted lines of the last source.
class SourcePanel {
 public:
  void draw(const Context& context);

 private:
  /// A vertical range of the listing.
  struct Span {
    float top = 0, bottom = 0;
    bool operator==(const Span&) const = default;
  };
  /// What determines the scroll position: the running lines and the removed line, the range that
  /// must be visible, and the height of the visible part.
  struct Followed {
    std::vector<uint32_t> lines;
    uint32_t removed = 0;
    Span wanted;
    float height = 0;
    bool operator==(const Followed&) const = default;
  };
  void take(const std::string& text);
  void drawTabs(const Context& context, bool companion);
  void drawLine(const Context& context, size_t index, bool now, const model::LineNote* note);
  void drawNote(const Context& context, const model::LineNote& note, float x);
  void takeMouse(const Context& context, uint32_t line, ImVec2 at, float width);
  void scrollTo(const Context& context, uint32_t line);
  [[nodiscard]] size_t rowOf(const Context& context, uint32_t line) const;
  [[nodiscard]] size_t rowAfter(const Context& context, uint32_t line) const;
  [[nodiscard]] Span spanOf(const Context& context, uint32_t from, uint32_t to) const;
  [[nodiscard]] Span wantedOf(const Context& context, const std::vector<uint32_t>& now,
                              uint32_t removed) const;
  void follow(const Context& context, std::vector<uint32_t> now, uint32_t removed);
  [[nodiscard]] size_t firstShown(const Context& context) const;

  std::string source_;
  std::vector<SourceLine> lines_;
  size_t bodyStart_ = 0;  ///< The first line after the front matter.
  float margin_ = 0;      ///< The width of the margin in this frame; 0 if it does not fit.
  Followed followed_;
  int scrolling_ = 0;    ///< Number of frames left in which it scrolls to `followed_`.
  bool inSight_ = true;  ///< The first followed line was visible in the last frame.
  uint32_t faulty_ = 0;  ///< The line of a compile error that was scrolled to.
};

/// The listing in a presentation: the main kernel's lines that run in the present step, with their
/// numbers, and the removed line, struck through. Shows as many lines as fit.
class RunningLines {
 public:
  static constexpr float kLineHeight = 1.25F;  ///< In multiples of the mono font's height.
  void draw(const Context& context);

 private:
  [[nodiscard]] std::vector<uint32_t> chosen(const model::TracedStep& step, size_t room) const;

  std::string source_;
  std::vector<SourceLine> lines_;
};

}  // namespace tilestep::features
