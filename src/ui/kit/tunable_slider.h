// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "model/choice/legality.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// The strings that explain a slider's hatched values.
struct HatchedWords {
  const char* because = "is not legal with the others";
  const char* advice = "Shift+drag selects it anyway; then change the others.";
  const char* all = "they are not legal with the other choices";
};

/// A slider for one tunable, or one button per value if the values have names. With `legality`,
/// values that are illegal with the other choices are hatched, explained on hover, and skipped
/// while dragging without Shift; if `legality` is null, all values are accepted. `set` receives
/// values during the drag; the session is notified when the drag ends. The tunable's title is below
/// the slider, except in a presentation.
void drawTunable(const Context& context, const compile::TunableSpec& tunable,
                 const compile::Bindings& values, const model::TunableLegality* legality,
                 const std::function<void(int64_t)>& set, const HatchedWords& words = {});
/// The tunable of a presentation's slider: the tunable on the x axis of the plot of speeds,
/// otherwise the one that was moved last, otherwise the kernel's first. Null if the kernel has no
/// tunables.
[[nodiscard]] const compile::TunableSpec* presentedTunable(const model::Snapshot& now);
/// The height of that slider at the current position, in pixels.
[[nodiscard]] float presentedHeight(const Context& context);

}  // namespace tilestep::ui
