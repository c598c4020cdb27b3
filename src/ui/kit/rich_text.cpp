// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/rich_text.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/text/glossary.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::TextRun;

struct Face {
  ImFont* font;
  float pixels;
  float again = 0;  ///< Without a bold font of this size, bold text is drawn a second time, this
                    ///< many pixels to the right.
};

Face largeFaceOf(const Context& context, TextRun::Look look) {
  const float pixels = context.fonts.largePixels;
  return {context.fonts.large, pixels, look == TextRun::Look::plain ? 0 : 0.03F * pixels};
}

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

/// Places words one after another and starts a new line if one does not fit.
class Setter {
 public:
  Setter(const Context& context, Setting setting)
      : context_(context),
        large_(setting == Setting::large),
        start_(ImGui::GetCursorScreenPos()),
        right_(start_.x + ImGui::GetContentRegionAvail().x),
        text_(large_ ? context.fonts.largePixels : context.fonts.textPixels),
        line_((setting == Setting::sentence ? 1.1F : 1.35F) * text_),
        at_(start_) {}

  void set(const RichWord& word) {
    float width = 0;
    for (const TextRun& part : word) width += widthOf(part.look, inked(part.text));
    if (at_.x > start_.x && at_.x + width > right_) {
      flush();
      at_ = {start_.x, at_.y + line_};
    }
    const ImVec2 from = at_;
    std::string whole;
    for (const TextRun& part : word) {
      add(part);
      whole += part.text;
    }
    if (context_.ui.readOnly) return;
    const model::Term* term = model::termOf(whole);
    if (term == nullptr || std::ranges::find(terms_, term) != terms_.end()) return;
    terms_.push_back(term);
    offer(*term, from, from.x + width);
  }

  [[nodiscard]] bool isOverTerm() const { return overTerm_; }
  void end() {
    flush();
    ImGui::Dummy({right_ - start_.x, at_.y + line_ - start_.y});
  }

 private:
  /// Underlines a term that ends at `right`, and explains it on hover.
  void offer(const model::Term& term, ImVec2 from, float right) {
    const float y = from.y + 1.12F * text_, step = 0.2F * text_;
    const ImU32 color = colour(context_.palette.mutedText);
    for (float x = from.x; x < right - step / 2; x += step)
      ImGui::GetWindowDrawList()->AddRectFilled({x, y}, {x + step / 2, y + 1}, color);
    const ImVec2 end{right, from.y + line_};
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(from, end)) return;
    overTerm_ = true;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    showTooltip(context_, term.text);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      context_.ui.glossary = {true, term.name, kGlossaryFrames};
  }

  static std::string_view inked(std::string_view text) {
    return text.substr(0, text.ends_with(' ') ? text.size() - 1 : text.size());
  }

  [[nodiscard]] Face face(TextRun::Look look) const {
    return large_ ? largeFaceOf(context_, look) : faceOf(context_, look);
  }

  [[nodiscard]] float widthOf(TextRun::Look look, std::string_view text) const {
    const Face face = this->face(look);
    return face.font->CalcTextSizeA(face.pixels, 1e9F, 0, text.data(), text.data() + text.size()).x;
  }

  /// Adjacent words of one style on one line are drawn as one text, which SVG and PDF preserve.
  void add(const TextRun& part) {
    if (part.look != pending_.look) flush();
    if (pending_.text.empty()) {
      pending_.look = part.look;
      from_ = at_;
    }
    pending_.text += part.text;
    at_.x += widthOf(part.look, part.text);
  }

  void flush() {
    const TextRun run = std::exchange(pending_, {});
    const std::string_view ink = inked(run.text);
    if (ink.empty()) return;
    const Face face = this->face(run.look);
    const float y = from_.y + (text_ - face.pixels) / 2;
    const gfx::Palette& p = context_.palette;
    const ImU32 color =
        colour(run.look == TextRun::Look::code ? gfx::inkOf(p.category(0), p) : p.text);
    for (const float shift : {0.0F, face.again}) {
      ImGui::GetWindowDrawList()->AddText(face.font, face.pixels, {from_.x + shift, y}, color,
                                          ink.data(), ink.data() + ink.size());
      if (face.again == 0) break;
    }
  }

  const Context& context_;
  bool large_;
  ImVec2 start_;
  float right_, text_, line_;
  ImVec2 at_;
  TextRun pending_;  ///< Not drawn yet; it begins at `from_`.
  ImVec2 from_;
  std::vector<const model::Term*> terms_;  ///< The terms that are underlined already.
  bool overTerm_ = false;
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

bool richText(const Context& context, std::string_view text, Setting setting) {
  Setter setter(context, setting);
  for (const RichWord& word : richWords(text)) setter.set(word);
  setter.end();
  return setter.isOverTerm();
}

void barredText(const Context& context, gfx::Color bar, std::string_view text) {
  const float indent = 0.8F * context.em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Indent(indent);
  richText(context, text);
  ImGui::Unindent(indent);
  ImGui::GetWindowDrawList()->AddRectFilled(
      at, {at.x + 0.22F * context.em, ImGui::GetItemRectMax().y}, colour(bar));
}

}  // namespace tilestep::ui
