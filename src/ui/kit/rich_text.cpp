// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/rich_text.h"

#include <algorithm>

namespace tilestep::ui {
namespace {

using model::TextRun;

struct Face {
  ImFont* font;
  float pixels;
};

Face faceOf(const Context& context, TextRun::Look look) {
  switch (look) {
    case TextRun::Look::strong:
      return {context.fonts.strong, context.fonts.textPixels};
    case TextRun::Look::code:
      return {context.fonts.mono, compat::sizeOf(context.fonts.mono)};
    case TextRun::Look::plain:
      break;
  }
  return {context.fonts.text, context.fonts.textPixels};
}

/// Places words one after another and starts a new line where one does not fit.
class Setter {
 public:
  explicit Setter(const Context& context)
      : context_(context),
        start_(ImGui::GetCursorScreenPos()),
        right_(start_.x + ImGui::GetContentRegionAvail().x),
        line_(1.35F * context.fonts.textPixels),
        at_(start_) {}

  void set(const RichWord& word) {
    float width = 0;
    for (const TextRun& part : word) width += widthOf(part.look, inked(part.text));
    if (at_.x > start_.x && at_.x + width > right_) at_ = {start_.x, at_.y + line_};
    for (const TextRun& part : word) draw(part);
  }

  void end() { ImGui::Dummy({right_ - start_.x, at_.y + line_ - start_.y}); }

 private:
  static std::string_view inked(std::string_view text) {
    return text.substr(0, text.ends_with(' ') ? text.size() - 1 : text.size());
  }

  [[nodiscard]] float widthOf(TextRun::Look look, std::string_view text) const {
    const Face face = faceOf(context_, look);
    return face.font->CalcTextSizeA(face.pixels, 1e9F, 0, text.data(), text.data() + text.size()).x;
  }

  void draw(const TextRun& part) {
    const Face face = faceOf(context_, part.look);
    const float below = (context_.fonts.textPixels - face.pixels) / 2;
    const gfx::Palette& p = context_.palette;
    const ImU32 color =
        colour(part.look == TextRun::Look::code ? gfx::inkOf(p.category(0), p) : p.text);
    const std::string_view ink = inked(part.text);
    ImGui::GetWindowDrawList()->AddText(face.font, face.pixels, {at_.x, at_.y + below}, color,
                                        ink.data(), ink.data() + ink.size());
    at_.x += widthOf(part.look, part.text);
  }

  const Context& context_;
  ImVec2 start_;
  float right_, line_;
  ImVec2 at_;
};

}  // namespace

std::vector<RichWord> richWords(std::string_view text) {
  std::vector<RichWord> words;
  bool ended = true;
  for (const TextRun& run : model::textRuns(text)) {
    for (size_t from = 0; from < run.text.size();) {
      const size_t end = std::min(run.text.find(' ', from), run.text.size() - 1) + 1;
      if (ended) words.emplace_back();
      words.back().push_back({run.look, run.text.substr(from, end - from)});
      ended = run.text[end - 1] == ' ';
      from = end;
    }
  }
  return words;
}

void richText(const Context& context, std::string_view text) {
  Setter setter(context);
  for (const RichWord& word : richWords(text)) setter.set(word);
  setter.end();
}

}  // namespace tilestep::ui
