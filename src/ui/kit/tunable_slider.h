// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "model/choice/legality.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// The texts with which a slider explains hatched values.
struct HatchedWords {
  const char* because = "is not legal with the others";
  const char* advice = "Shift+drag takes it all the same; then change the others.";
  const char* all = "it is not legal with the other choices";
};

/// A slider for one tunable, or one button per value if the values have names. With `legality`,
/// values that are illegal with the other choices are hatched, explained on hover, and skipped
/// while dragging without Shift; null: all values are accepted. `set` receives values during the
/// drag; the session is notified of the gesture's end. Except in a presentation, the tunable's
/// title is below.
void drawTunable(const Context& context, const compile::TunableSpec& tunable,
                 const compile::Bindings& values, const model::TunableLegality* legality,
                 const std::function<void(int64_t)>& set, const HatchedWords& words = {});
/// The tunable of a presentation's slider: the one that the plot of speeds is over, otherwise the
/// one that was moved last or the kernel's first one; null if the kernel has none.
[[nodiscard]] const compile::TunableSpec* presentedTunable(const model::Snapshot& now);
/// The height of that slider at the present position, in pixels.
[[nodiscard]] float presentedHeight(const Context& context);

}  // namespace tilestep::ui
