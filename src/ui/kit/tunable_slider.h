// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "model/choice/legality.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// How a slider says why values are hatched.
struct HatchedWords {
  const char* because = "is not legal with the others";
  const char* advice = "Shift+drag takes it all the same; then change the others.";
  const char* all = "it is not legal with the other choices";
};

/// A slider for one tunable, or a button a value where they have names. With `legality`, values
/// that are not legal with the other choices are hatched, say why on hover, and are skipped while
/// dragging without Shift; null: all values are taken. `set` gets values while it is dragged; the
/// gesture's end is told to the session. Below it stands the tunable's title, but not in a
/// presentation.
void drawTunable(const Context& context, const compile::TunableSpec& tunable,
                 const compile::Bindings& values, const model::TunableLegality* legality,
                 const std::function<void(int64_t)>& set, const HatchedWords& words = {});
/// The tunable of a presentation's slider: the one that the plot of speeds is over, otherwise the
/// one that was moved last or the kernel's first one; null if the kernel has none.
[[nodiscard]] const compile::TunableSpec* presentedTunable(const model::Snapshot& now);
/// The height of that slider at the present position, in pixels.
[[nodiscard]] float presentedHeight(const Context& context);

}  // namespace tilestep::ui
