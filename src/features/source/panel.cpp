// SPDX-License-Identifier: Apache-2.0
#include "features/source/panel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "features/lessons/view.h"
#include "features/source/panel_counts.h"
#include "features/source/panel_rows.h"
#include "features/source/view.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"
#include "ui/shell/cover.h"
#include "ui/shell/layout.h"

namespace tilestep::features {
namespace {

const std::string kHiddenComment = "…";

size_t bodyStartOf(const std::vector<SourceLine>& lines) {
  if (lines.empty() || lines[0].empty() || !lines[0][0].text.starts_with("/*---")) return 0;
  for (size_t i = 0; i < lines.size(); ++i)
    for (const Token& token : lines[i])
      if (token.text.find("---*/") != std::string::npos) return i + 1;
  return 0;
}

/// A whole number of pixels, because ImGui rounds each item down to whole pixels.
float lineHeightOf(const Context& context) {
  return std::floor(1.35F * compat::sizeOf(context.fonts.mono));
}

/// The step whose source is shown.
const model::TracedStep* stepOf(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  return context.ui.companionSource && now.companion ? now.companion.get() : now.main.get();
}

/// While a question covers the remarks, only the removed line has a remark, because even a covered
/// remark would reveal that the line matters.
const model::LineNote* noteOf(const Context& context, uint32_t line) {
  const auto& notes = context.snapshot.notes;
  if (!notes) return nullptr;
  const auto at = std::ranges::find(*notes, line, &model::LineNote::line);
  if (at == notes->end()) return nullptr;
  const bool covered =
      isCovered(context, Covered::source) && at->kind != model::LineNote::Kind::removed;
  return covered ? nullptr : &*at;
}

bool isMain(const Context& context) {
  return stepOf(context) == context.snapshot.main.get();
}

/// The error in the main kernel's source; null if there is no error or another source is shown.
const model::BrokenSource* brokenOf(const Context& context) {
  return isMain(context) && context.snapshot.broken ? &*context.snapshot.broken : nullptr;
}

/// "my.cu, line 3: does not compile". The line comes first because the panel may cut off the rest.
std::string headOf(const model::BrokenSource& broken, bool hasScene) {
  std::string place = std::filesystem::path(broken.file).filename().string();
  if (broken.line > 0) place += ", line " + std::to_string(broken.line);
  return place + ": " + broken.problem + (hasScene ? "; the scene is older" : "");
}

/// The chosen kernel's source file, which is shown before the first trace; null if there is none.
const compile::KernelSource* sourceOf(const Context& context) {
  const compile::CatalogueEntry* entry = context.snapshot.entry();
  return entry != nullptr && !entry->source.text.empty() ? &entry->source : nullptr;
}

bool isQuiet(const Context& context) {
  return isCovered(context, Covered::source);
}

RunsOf runsOf(const Context& context, uint32_t line) {
  return runsOfLine(context.snapshot.view<SourceView>(), line);
}

/// The height of the visible part of the window, without its scroll bar.
float seenHeight() {
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  return list.GetClipRectMax().y - list.GetClipRectMin().y;
}

}  // namespace

void noteCodeClick(const Context& context) {
  if (ImGui::IsWindowHovered() && !ImGui::IsAnyItemHovered() &&
      ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    context.ui.codeClicked = true;
}

void drawToken(const Context& context, ImFont* font, ImVec2 at, float width, const Token& token) {
  const float size = compat::sizeOf(font);
  if (token.kind == TokenKind::covered)
    return drawCover(context, at, {at.x + width, at.y + size}, "");
  ImGui::GetWindowDrawList()->AddText(font, size, at, colour(colourOf(context.palette, token.kind)),
                                      token.text.c_str());
}

/// Scrolls a line to the middle of the panel.
void SourcePanel::scrollTo(const Context& context, uint32_t line) {
  const float height = lineHeightOf(context);
  const float top = static_cast<float>(rowOf(context, line)) * height;
  ImGui::SetScrollY(std::max(0.0F, std::floor((top - ImGui::GetWindowHeight() / 2) / height + 1)) *
                    height);
}

void SourcePanel::drawTabs(const Context& context, bool companion) {
  const model::Snapshot& now = context.snapshot;
  if (now.companion) {
    if (toggle(context, (now.companion->side->shortName + "##other").c_str(), companion))
      context.ui.companionSource = true;
    ImGui::SameLine(0, 0.15F * context.em);
    if (toggle(context, (now.main->side->shortName + "##main").c_str(), !companion))
      context.ui.companionSource = false;
    ImGui::SameLine();
  }
  ImGui::AlignTextToFramePadding();
  const std::string label = context.ui.frontMatter ? "fold front matter" : "front matter";
  const float button = ImGui::CalcTextSize(label.c_str()).x + 3 * ImGui::GetStyle().ItemSpacing.x;
  const float room = ImGui::GetContentRegionAvail().x;
  const bool both = bodyStart_ > 0 && room >= button + 4 * context.em;
  const model::TracedStep* step = stepOf(context);
  const model::BrokenSource* broken = brokenOf(context);
  const uint32_t removed = step != nullptr ? step->side->removedLine : 0;
  const bool changed = removed > 0 || broken != nullptr;
  ImGui::PushStyleColor(ImGuiCol_Text,
                        vector(changed ? context.palette.warning : context.palette.mutedText));
  clipped(broken != nullptr ? headOf(*broken, step != nullptr)
          : changed         ? "changed: line " + std::to_string(removed)
          : step != nullptr ? step->side->result->source
                            : sourceOf(context)->path,
          room - (both ? button : 0));
  ImGui::PopStyleColor();
  if (!both) return;
  ImGui::SameLine();
  if (ImGui::SmallButton(label.c_str())) context.ui.frontMatter = !context.ui.frontMatter;
}

size_t SourcePanel::firstShown(const Context& context) const {
  if (context.ui.frontMatter) return 0;
  size_t first = bodyStart_;
  while (first < lines_.size() && lines_[first].empty()) ++first;
  return first;
}

/// The number of rows above a line, including notes.
size_t SourcePanel::rowOf(const Context& context, uint32_t line) const {
  const auto isNoted = [&](uint32_t above) {
    return isMain(context) && noteOf(context, above) != nullptr;
  };
  return rowsAbove(line, firstShown(context), lines_.size(), isNoted);
}

/// The number of rows up to and including a line and its note.
size_t SourcePanel::rowAfter(const Context& context, uint32_t line) const {
  const bool hasNote = isMain(context) && noteOf(context, line) != nullptr;
  return rowOf(context, line) + (hasNote ? 2 : 1);
}

/// The vertical range of lines `from` to `to` including their notes.
SourcePanel::Span SourcePanel::spanOf(const Context& context, uint32_t from, uint32_t to) const {
  const float height = lineHeightOf(context);
  return {static_cast<float>(rowOf(context, from)) * height,
          static_cast<float>(rowAfter(context, to)) * height};
}

/// The range that must be visible: the running lines and the removed line. If they do not fit, the
/// removed line and the nearest running line; if those do not fit, the running lines.
SourcePanel::Span SourcePanel::wantedOf(const Context& context, const std::vector<uint32_t>& now,
                                        uint32_t removed) const {
  const Span running = spanOf(context, now.front(), now.back());
  if (removed == 0) {
    // A step about the source is often about the condition above the first running line.
    const Span guarded = spanOf(context, std::max(now.front(), 2U) - 1, now.back());
    const bool isLost =
        guarded.bottom - guarded.top > seenHeight() && running.bottom - running.top <= seenHeight();
    return context.ui.sourceServes && !isLost ? guarded : running;
  }
  const auto spanWith = [&](uint32_t first, uint32_t last) {
    return spanOf(context, std::min(first, removed), std::max(last, removed));
  };
  const auto farness = [&](uint32_t line) {
    return line > removed ? line - removed : removed - line;
  };
  const uint32_t nearest = *std::ranges::min_element(now, {}, farness);
  for (const Span& span : {spanWith(now.front(), now.back()), spanWith(nearest, nearest)})
    if (span.bottom - span.top <= seenHeight()) return span;
  return running;
}

/// Scrolls to the lines of a new step. Scrolls again if heights change, unless the user has
/// scrolled the lines out of sight. Scrolls for several frames, because a new step may bring notes
/// and Dear ImGui knows the new text length a frame later.
void SourcePanel::follow(const Context& context, std::vector<uint32_t> now, uint32_t removed) {
  constexpr int kFrames = 3;
  if (now.empty() && removed > 0) now = {removed};
  if (now.empty()) return;
  const float height = seenHeight(), from = ImGui::GetScrollY();
  const Span wanted = wantedOf(context, now, removed);
  const bool sameStep = now == followed_.lines && removed == followed_.removed;
  const Followed following{std::move(now), removed, wanted, height};
  if (following != followed_ && (!sameStep || inSight_))
    scrolling_ = wanted.top >= from && wanted.bottom <= from + height ? 0 : kFrames;
  followed_ = following;
  inSight_ = scrolling_ > 0 || (wanted.top >= from && wanted.top < from + height);
  if (scrolling_ == 0) return;
  --scrolling_;
  // Centres the required lines, with a whole line at the top if that hides none of them. The first
  // required line is always visible.
  const float line = lineHeightOf(context);
  const float centred = std::floor((wanted.top + wanted.bottom - height) / 2 / line) * line;
  ImGui::SetScrollY(
      std::max(std::min(std::max(centred, wanted.bottom - height), wanted.top), 0.0F));
}

/// Draws a note in its own row below the line. A click on a barrier's note removes or restores the
/// barrier, unless the picture is read-only.
void SourcePanel::drawNote(const Context& context, const model::LineNote& note, float x) {
  const gfx::Palette& p = context.palette;
  const bool removed = note.kind == model::LineNote::Kind::removed;
  const bool warns = note.kind != model::LineNote::Kind::barrier;
  const float height = lineHeightOf(context), size = context.fonts.smallPixels;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool button = note.barrier > 0 && !context.ui.readOnly;
  // The barrier's purpose may be the answer.
  const bool quiet = removed && isQuiet(context);
  std::string text = quiet ? "this line is removed" : note.text;
  if (button) text = (removed ? "put back · " : "remove · ") + text;
  const float width = context.fonts.small->CalcTextSizeA(size, 1e9F, 0, text.c_str()).x;
  const float left = std::round(x + 1.2F * size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (warns)
    list.AddRectFilled(at, {at.x + ImGui::GetWindowWidth() + width, at.y + height},
                       colour(p.warning, 0.1F));
  list.AddText(context.fonts.small, size, {left, std::round(at.y + (height - size) / 2)},
               colour(warns ? p.warning : p.mutedText), text.c_str());
  ImGui::Dummy({left - at.x + width + size, height});
  if (!button) return;
  const ImVec2 below = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({left, at.y});
  ImGui::PushID(static_cast<int>(note.barrier));
  if (ImGui::InvisibleButton("barrier", {width, height}))
    context.session.apply(model::command("barriers.remove", removed ? 0 : note.barrier));
  ImGui::PopID();
  if (ImGui::IsItemHovered())
    list.AddLine({left, at.y + height - 2}, {left + width, at.y + height - 2}, colour(p.mutedText));
  tooltip(context, removed ? "Restores the barrier (undo also does)"
                           : "Runs the scene in the interpreter without this barrier, beside "
                             "the unchanged kernel (B)");
  ImGui::SetCursorScreenPos(below);
}

/// Hovering also marks the line in the PTX. A click goes through the steps that executed it.
void SourcePanel::takeMouse(const Context& context, uint32_t line, ImVec2 at, float height) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool here = ImGui::IsWindowHovered() && mouse.y >= at.y && mouse.y < at.y + height;
  if (!here || context.snapshot.broken) return;
  context.ui.lineUnder = line;
  const RunsOf runs = runsOf(context, line);
  if (runs.all == 0) return;
  showTooltip(context, runsHover(runs, isQuiet(context), context.snapshot.position.recorder));
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  context.ui.lineChosen = line;
  context.session.apply(model::command("source.line", line, !ImGui::GetIO().KeyShift));
}

void SourcePanel::drawLine(const Context& context, size_t index, bool now,
                           const model::LineNote* note) {
  const gfx::Palette& p = context.palette;
  const float em = compat::sizeOf(context.fonts.mono);
  const float lineHeight = lineHeightOf(context);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, ImGui::GetWindowWidth());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (now) {
    list.AddRectFilled(at, {at.x + width, at.y + lineHeight},
                       colour(p.accent, p.dark ? 0.16F : 0.22F));
    list.AddRectFilled(at, {at.x + 0.22F * em, at.y + lineHeight}, colour(p.accent));
  }
  const auto line = static_cast<uint32_t>(index + 1);
  const bool main = isMain(context);
  if (main && context.ui.lineHovered == line)
    list.AddRectFilled(at, {at.x + width, at.y + lineHeight}, colour(p.text, 0.07F));
  if (main && context.ui.lineChosen == line)
    list.AddRect({at.x + 1, at.y}, {at.x + width - 1, at.y + lineHeight}, colour(p.chosen, 0.8F));
  const bool warns = note != nullptr && note->kind != model::LineNote::Kind::barrier;
  if (warns) {
    // Leaves space on the left for the mark of the present step, which a racing line may also have.
    list.AddRectFilled({at.x + 0.3F * em, at.y}, {at.x + 0.52F * em, at.y + lineHeight},
                       colour(p.warning));
    list.AddRectFilled(at, {at.x + width, at.y + lineHeight}, colour(p.warning, 0.1F));
  }
  char number[16];
  std::snprintf(number, sizeof number, "%4zu", index + 1);
  float x = at.x + 0.4F * em;
  const float y = at.y + 0.17F * em;
  list.AddText({x, y}, colour(now ? p.text : p.mutedText), number);
  x = at.x + 3.7F * em;
  if (main && !context.snapshot.broken && margin_ > 0) {
    x += margin_;
    drawInMargin(context, runsText(runsOf(context, line), isQuiet(context)), x, y);
  }
  const float start = x;
  // If a stage is covered, the whole listing is visible, and a comment may contain the answer.
  const bool quiet = context.ui.stageCovered && isQuiet(context);
  for (const Token& token : withCovered(lines_[index], context.snapshot.shown.hiddenTexts)) {
    const bool hidden = quiet && token.kind == TokenKind::comment;
    const Token shown = hidden ? Token{token.kind, kHiddenComment} : token;
    const float wide = ImGui::CalcTextSize(shown.text.c_str()).x;
    drawToken(context, context.fonts.mono, {x, y}, wide, shown);
    x += wide;
  }
  if (note != nullptr && note->kind == model::LineNote::Kind::removed)
    list.AddLine({start, at.y + lineHeight / 2}, {x, at.y + lineHeight / 2}, colour(p.warning),
                 1.5F);
  ImGui::Dummy({x - at.x + em, lineHeight});
  if (main) takeMouse(context, line, at, lineHeight);
  if (note != nullptr) drawNote(context, *note, start);
}

void SourcePanel::take(const std::string& text) {
  if (source_ == text) return;
  source_ = text;
  lines_ = highlight(source_);
  bodyStart_ = bodyStartOf(lines_);
  followed_ = {};
  faulty_ = 0;
}

void SourcePanel::draw(const Context& context) {
  context.ui.lineHovered = std::exchange(context.ui.lineUnder, 0);
  const model::TracedStep* step = stepOf(context);
  const model::BrokenSource* broken = brokenOf(context);
  const compile::KernelSource* source = sourceOf(context);
  if (step == nullptr && broken == nullptr && source == nullptr) {
    heading(context, "Source");
    hint(context, "The kernel's source appears here once its file can be read.");
    return;
  }
  const bool main = isMain(context);
  const uint32_t faulty = broken != nullptr ? broken->line : 0;
  take(broken != nullptr ? broken->text : step != nullptr ? step->side->sourceText : source->text);
  // Unfolds the front matter, in which the faulty line may be.
  if (std::exchange(faulty_, faulty) != faulty && faulty > 0) {
    if (faulty <= bodyStart_) context.ui.frontMatter = true;
    context.ui.lineWanted = faulty;
  }
  if (!context.ui.readOnly)
    drawTabs(context, context.ui.companionSource && context.snapshot.companion);
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  compat::beginChild("lines", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  constexpr float kLeastWithMargin = 30;  // em
  const bool hasMargin = ImGui::GetContentRegionAvail().x >= kLeastWithMargin * context.em;
  margin_ = hasMargin ? marginWidth(context) : 0;
  const std::vector<uint32_t> now =
      broken == nullptr && step != nullptr ? step->step.lines : std::vector<uint32_t>{};
  model::LineNote error;
  if (broken != nullptr)
    error = {model::LineNote::Kind::race, broken->line, "error: " + broken->message, 0};
  for (size_t i = firstShown(context); i < lines_.size(); ++i) {
    const auto line = static_cast<uint32_t>(i + 1);
    const model::LineNote* note = main ? noteOf(context, line) : nullptr;
    if (broken != nullptr) note = line == faulty ? &error : nullptr;
    drawLine(context, i, std::ranges::binary_search(now, line), note);
  }
  follow(context, now, step != nullptr ? step->side->removedLine : 0);
  if (main && context.ui.lineWanted > 0) scrollTo(context, std::exchange(context.ui.lineWanted, 0));
  noteCodeClick(context);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace tilestep::features
