// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/widgets.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "ui/kit/line_breaks.h"

namespace tilestep::ui {
namespace {

const char* endOf(std::string_view text) {
  return text.data() + text.size();
}

/// Right-aligned, and shortened if it would reach `left`; the full text is then shown on hover.
void drawAside(const Context& context, const std::string& aside, float left, float right, float y) {
  if (aside.empty() || right - left < 3 * context.em) return;
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const std::string text = cutTo(aside, right - left);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float below = (context.em - context.fonts.smallPixels) * 0.8F;
  const ImVec2 at{right - size.x, y + below};
  ImGui::GetWindowDrawList()->AddText(at, colour(context.palette.mutedText), text.c_str());
  ImGui::PopFont();
  if (text != aside && ImGui::IsMouseHoveringRect(at, {right, at.y + size.y}))
    showTooltip(context, aside);
}

/// The text with a '\n' at each line break.
std::string brokenAt(std::string_view text, float width) {
  ImFont* font = ImGui::GetFont();
  const float size = ImGui::GetFontSize();
  const auto widthOf = [&](std::string_view piece) {
    return font->CalcTextSizeA(size, 1e9F, 0, piece.data(), endOf(piece)).x;
  };
  std::string lines;
  for (const std::string_view line : linesOf(text, width, widthOf)) {
    if (!lines.empty() || line.data() != text.data()) lines += '\n';
    lines += line;
  }
  return lines;
}

}  // namespace

void heading(const Context& context, const char* text, const std::string& aside) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::TextUnformatted(text);
  const float left = ImGui::GetItemRectMax().x + context.em;
  ImGui::PopFont();
  drawAside(context, aside, left, right, at.y);
}

bool foldingHeading(const Context& context, const char* text, const std::string& aside) {
  bool* open = ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID(text), true);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = 1.45F * context.em;
  if (ImGui::InvisibleButton(text, {std::max(width, 1.0F), height})) *open = !*open;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered())
    list.AddRectFilled(at, {at.x + width, at.y + height}, colour(context.palette.text, 0.05F),
                       0.2F * context.em);
  const float r = 0.22F * context.em;
  const ImVec2 centre{at.x + 0.35F * context.em, at.y + height / 2};
  const ImU32 faint = colour(context.palette.mutedText);
  if (*open)
    list.AddTriangleFilled({centre.x - r, centre.y - 0.6F * r}, {centre.x + r, centre.y - 0.6F * r},
                           {centre.x, centre.y + 0.8F * r}, faint);
  else
    list.AddTriangleFilled({centre.x - 0.6F * r, centre.y - r}, {centre.x + 0.8F * r, centre.y},
                           {centre.x - 0.6F * r, centre.y + r}, faint);
  const float top = at.y + (height - context.em) / 2;
  list.AddText(context.fonts.strong, compat::sizeOf(context.fonts.strong),
               {at.x + 0.95F * context.em, top}, colour(context.palette.text), text);
  const float title =
      context.fonts.strong->CalcTextSizeA(compat::sizeOf(context.fonts.strong), 1e9F, 0, text).x;
  drawAside(context, aside, at.x + title + 1.95F * context.em, at.x + width, top);
  return *open;
}

void wrapped(std::string_view text) {
  wrapped(text, ImGui::GetContentRegionAvail().x);
}

void wrapped(std::string_view text, float width) {
  const std::string lines = brokenAt(text, width);
  ImGui::TextUnformatted(lines.c_str(), lines.c_str() + lines.size());
}

float wrappedHeight(std::string_view text, float width) {
  return ImGui::CalcTextSize(brokenAt(text, width).c_str()).y;
}

void warning(const Context& context, std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, vector(context.palette.warning));
  wrapped(text);
  ImGui::PopStyleColor();
}

void muted(const Context& context, std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, vector(context.palette.mutedText));
  ImGui::TextUnformatted(text.data(), endOf(text));
  ImGui::PopStyleColor();
}

void mutedWrapped(const Context& context, std::string_view text) {
  ImGui::PushStyleColor(ImGuiCol_Text, vector(context.palette.mutedText));
  wrapped(text);
  ImGui::PopStyleColor();
}

void hint(const Context& context, std::string_view text) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  mutedWrapped(context, text);
  ImGui::PopFont();
}

void steadyHint(const Context& context, std::string_view text, int lines) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const float least = static_cast<float>(lines) * ImGui::GetTextLineHeight();
  ImGui::PopFont();
  const float top = ImGui::GetCursorPosY();
  hint(context, text);
  const float height = ImGui::GetCursorPosY() - top - ImGui::GetStyle().ItemSpacing.y;
  if (height >= least) return;
  ImGui::SetCursorPosY(top + least);
  ImGui::Dummy({0, 0});
}

float hintHeight(const Context& context, std::string_view text) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const float height = wrappedHeight(text, ImGui::GetContentRegionAvail().x);
  ImGui::PopFont();
  return height;
}

std::string cutTo(std::string_view text, float width) {
  if (ImGui::CalcTextSize(text.data(), endOf(text)).x <= width) return std::string(text);
  size_t length = text.size();
  const float room = width - ImGui::CalcTextSize("…").x;
  while (length > 0 && ImGui::CalcTextSize(text.data(), text.data() + length).x > room) {
    --length;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  }
  return std::string(text.substr(0, length)) + "…";
}

void clipped(std::string_view text, float width) {
  const std::string cut = cutTo(text, width);
  ImGui::TextUnformatted(cut.c_str());
  if (cut != text && ImGui::IsItemHovered())
    ImGui::SetTooltip("%.*s", static_cast<int>(text.size()), text.data());
}

void rightHeader(const Context& context, std::string_view text) {
  const float width = ImGui::CalcTextSize(text.data(), endOf(text)).x;
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
  muted(context, text);
}

void rightNumber(const Context& context, std::string_view text, ImU32 color) {
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  const float width = ImGui::CalcTextSize(text.data(), endOf(text)).x;
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(text.data(), endOf(text));
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void sameLineIfRoom(const char* label, float right) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = ImGui::CalcTextSize(label, nullptr, true).x + 2 * style.FramePadding.x;
  if (ImGui::GetItemRectMax().x + style.ItemSpacing.x + width <= right) ImGui::SameLine();
}

void showTooltip(const Context& context, std::string_view text) {
  if (context.ui.palette.open) return;  // The palette covers the item under the pointer.
  ImGui::BeginTooltip();
  wrapped(text, 28 * context.em);
  ImGui::EndTooltip();
}

void tooltip(const Context& context, std::string_view text) {
  // During a drag, a tooltip would cover what changes.
  if (text.empty() || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  if (ImGui::IsItemHovered()) showTooltip(context, text);
}

void progressBar(const Context& context, float share) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = 0.25F * context.em;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, colour(context.palette.text, 0.1F));
  list.AddRectFilled(at, {at.x + share * width, at.y + height}, colour(context.palette.text, 0.7F));
  ImGui::Dummy({width, height});
}

std::string percentOf(float share) {
  char text[32];
  std::snprintf(text, sizeof text, "%g %%", std::round(static_cast<double>(share) * 1000) / 10);
  return text;
}

bool wrappedButton(const char* label) {
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  if (ImGui::CalcTextSize(label, nullptr, true).x + 2 * padding.x <= room)
    return ImGui::Button(label);
  const std::string_view whole(label), text = whole.substr(0, whole.find("##"));
  const float wrap = std::max(room - 2 * padding.x, 1.0F);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::BeginGroup();
  ImGui::PushID(label);
  const bool clicked =
      ImGui::Button("##wrapped", {room, wrappedHeight(text, wrap) + 2 * padding.y});
  ImGui::PopID();
  ImGui::SetCursorScreenPos({at.x + padding.x, at.y + padding.y});
  wrapped(text, wrap);
  ImGui::EndGroup();
  return clicked;
}

void chooseKernel(const Context& context, const std::string& name) {
  context.session.apply(model::command("choice.kernel", name));
  if (context.ui.stage == Stage::exercises) context.ui.stage = Stage::scene;
}

void offerKernel(const Context& context, const char* kernel) {
  if (context.ui.readOnly) return;
  const std::string label = std::string("Choose ") + kernel;
  if (ImGui::Button(label.c_str())) chooseKernel(context, kernel);
}

bool toggle(const Context& context, const char* label, bool on) {
  const gfx::Palette& p = context.palette;
  // The pressed state is shown by the fill and the contrast of the text, not by colour.
  ImGui::PushStyleColor(ImGuiCol_Button, vector(on ? gfx::mix(p.surface, p.text, 0.2F)
                                                   : gfx::mix(p.surface, p.text, 0.04F)));
  ImGui::PushStyleColor(ImGuiCol_Text, vector(on ? p.text : p.mutedText));
  const bool clicked = wrappedButton(label);
  ImGui::PopStyleColor(2);
  return clicked;
}

namespace {

struct Shape {  ///< The parts of an icon, in tenths of the button's size around its centre.
  bool barLeft = false, barRight = false, pointsLeft = false, pause = false;
  int triangles = 1;
};

Shape shapeOf(Icon icon) {
  switch (icon) {
    case Icon::first:
      return {true, false, true, false, 1};
    case Icon::back:
      return {false, false, true, false, 1};
    case Icon::forward:
      return {false, false, false, false, 1};
    case Icon::last:
      return {false, true, false, false, 1};
    case Icon::play:
      return {false, false, false, false, 1};
    case Icon::pause:
      return {false, false, false, true, 0};
  }
  return {};
}

void drawIcon(ImDrawList& list, ImVec2 c, float u, Icon icon, ImU32 color) {
  const Shape shape = shapeOf(icon);
  const auto bar = [&](float x) {
    list.AddRectFilled({c.x + (x - 0.5F) * u, c.y - 2.4F * u},
                       {c.x + (x + 0.5F) * u, c.y + 2.4F * u}, color);
  };
  if (shape.barLeft) bar(-2.2F);
  if (shape.barRight) bar(2.2F);
  if (shape.pause) {
    list.AddRectFilled({c.x - 2.2F * u, c.y - 2.6F * u}, {c.x - 0.6F * u, c.y + 2.6F * u}, color);
    list.AddRectFilled({c.x + 0.6F * u, c.y - 2.6F * u}, {c.x + 2.2F * u, c.y + 2.6F * u}, color);
  }
  if (shape.triangles == 0) return;
  const float big = icon == Icon::play ? 1.35F : 1;
  const float tip = (shape.pointsLeft ? -1.8F : 1.8F) * u * big;
  list.AddTriangleFilled({c.x + tip, c.y}, {c.x - tip * 0.8F, c.y - 2.2F * u * big},
                         {c.x - tip * 0.8F, c.y + 2.2F * u * big}, color);
}

}  // namespace

bool iconButton(const Context& context, const char* id, Icon icon, bool enabled) {
  const float side = 2.1F * context.em;
  ImGui::BeginDisabled(!enabled);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(id);
  const bool clicked = ImGui::Button("##icon", {side, side});
  ImGui::PopID();
  ImGui::EndDisabled();
  drawIcon(*ImGui::GetWindowDrawList(), {std::round(at.x + side / 2), std::round(at.y + side / 2)},
           side / 10, icon, colour(context.palette.text, enabled ? 1.0F : 0.35F));
  return clicked;
}

std::vector<std::string> factorLines(const std::string& text, float width) {
  const size_t blank = text.rfind(' ');
  if (blank == std::string::npos || ImGui::CalcTextSize(text.c_str()).x <= width) return {text};
  return {text.substr(0, blank), text.substr(blank + 1)};
}

}  // namespace tilestep::ui
