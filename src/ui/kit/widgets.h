// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/context.h"

/// Small pieces that several panels share.
namespace tilestep::ui {

/// A muted heading with a thin line; `aside` stands right-aligned on the same line.
void heading(const Context& context, const char* text, const std::string& aside = {});
/// A heading that folds what follows; true while open. Space or Enter folds it by keyboard.
bool foldingHeading(const Context& context, const char* text, const std::string& aside = {});

/// Text of the present font and colour, wrapped at the panel's edge as ui/kit/line_breaks.h does
/// it, or at `width` pixels where that is given. Nothing else wraps text.
void wrapped(std::string_view text);
void wrapped(std::string_view text, float width);
/// The height of such a text, in pixels.
[[nodiscard]] float wrappedHeight(std::string_view text, float width);
/// In the colour of warnings, wrapped.
void warning(const Context& context, std::string_view text);
void muted(const Context& context, std::string_view text);
void mutedWrapped(const Context& context, std::string_view text);
/// Muted and in the small font, wrapped.
void hint(const Context& context, std::string_view text);
/// How high a hint is at the present place, in pixels.
[[nodiscard]] float hintHeight(const Context& context, std::string_view text);
/// The text, or as much of it as `width` holds with "…" behind it.
[[nodiscard]] std::string cutTo(std::string_view text, float width);
/// A text cut with "…" where it is wider than `width`; the whole one on hover.
void clipped(std::string_view text, float width);
/// A number in the mono font, its right end at the current cell's right edge.
void rightNumber(const Context& context, std::string_view text, ImU32 color);
/// Puts a button of this label beside the last item, or on the next line where there is no room.
void sameLineIfRoom(const char* label, float right);
/// A tooltip for the last item, wrapped at 28 em.
void tooltip(const Context& context, std::string_view text);
void showTooltip(const Context& context, std::string_view text);

/// "125 %".
[[nodiscard]] std::string percentOf(float share);

/// A button that stays down; true when clicked.
bool toggle(const Context& context, const char* label, bool on);

enum class Icon { first, back, forward, last, play, pause };
/// A drawn button of square shape, so that no font is needed for its sign.
bool iconButton(const Context& context, const char* id, Icon icon, bool enabled);

/// A comparison's parts where it needs two lines: "16 times" stands large, and "fewer" below it.
[[nodiscard]] std::vector<std::string> factorLines(const std::string& text, float width);

}  // namespace tilestep::ui
