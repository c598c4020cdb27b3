// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// A muted heading with a thin line; `aside` is right-aligned on the same line.
void heading(const Context& context, const char* text, const std::string& aside = {});
/// A heading that folds the following content; true while open. Space or Enter folds it by
/// keyboard.
bool foldingHeading(const Context& context, const char* text, const std::string& aside = {});

/// Text in the current font and colour, wrapped by ui/kit/line_breaks.h at the panel's edge, or at
/// `width` pixels if given. All text is wrapped by these functions.
void wrapped(std::string_view text);
void wrapped(std::string_view text, float width);
/// The height of text that is wrapped at `width`, in pixels.
[[nodiscard]] float wrappedHeight(std::string_view text, float width);
/// Wrapped text in the warning colour.
void warning(const Context& context, std::string_view text);
void muted(const Context& context, std::string_view text);
void mutedWrapped(const Context& context, std::string_view text);
/// Muted, wrapped text in the small font.
void hint(const Context& context, std::string_view text);
/// A hint that occupies at least `lines` lines, so that everything below it stays in place when its
/// text changes.
void steadyHint(const Context& context, std::string_view text, int lines);
/// The height of a hint at the current position, in pixels.
[[nodiscard]] float hintHeight(const Context& context, std::string_view text);
/// The text, shortened with "…" to fit into `width`.
[[nodiscard]] std::string cutTo(std::string_view text, float width);
/// A text shortened with "…" to fit into `width`; the full text is shown on hover.
void clipped(std::string_view text, float width);
/// A column's heading, muted and right-aligned in the current cell.
void rightHeader(const Context& context, std::string_view text);
/// A number in the mono font, right-aligned in the current cell.
void rightNumber(const Context& context, std::string_view text, ImU32 color);
/// Places a button with this label next to the last item, or on the next line if it does not fit.
void sameLineIfRoom(const char* label, float right);
/// A tooltip for the last item, wrapped at 28 em.
void tooltip(const Context& context, std::string_view text);
void showTooltip(const Context& context, std::string_view text);

/// A thin bar over the whole width, of which `share` (0 to 1) is filled.
void progressBar(const Context& context, float share);

/// "125 %".
[[nodiscard]] std::string percentOf(float share);

/// Chooses a kernel. If the stage shows an exercise, which is about another kernel, it shows the
/// scene instead.
void chooseKernel(const Context& context, const std::string& name);

/// A button whose text is wrapped if it is wider than the rest of the line.
bool wrappedButton(const char* label);
/// For a view that has nothing to show for the chosen kernel: a button that chooses a suitable
/// kernel. Saved pictures have no button.
void offerKernel(const Context& context, const char* kernel);
/// A toggle button; true when clicked.
bool toggle(const Context& context, const char* label, bool on);

enum class Icon { first, back, forward, last, play, pause };
/// A square button with a drawn icon, which needs no font.
bool iconButton(const Context& context, const char* id, Icon icon, bool enabled);

/// Splits a comparison over two lines: "16 times" is large, and "fewer" is below it.
[[nodiscard]] std::vector<std::string> factorLines(const std::string& text, float width);

}  // namespace tilestep::ui
