// SPDX-License-Identifier: Apache-2.0
#include "features/pins/runs_view.h"
#include "fuzz/checks.h"
#include "model/choice/pins.h"

namespace tilestep::fuzz {

std::string checkPins(std::string_view text) {
  const auto read = model::parsePins(text, "runs.toml");
  if (!read) return checkRefusal(read.error(), text);
  const auto again = model::parsePins(toToml(*read), "again.toml");
  if (!again) return "what was written is refused: " + toString(again.error());
  if (*again != *read) return "other runs come back";
  if (read->pins.size() > model::kMostPins) return "too many runs";
  const model::Pin* base = read->baseOrFirst();
  for (const model::Pin& pin : read->pins) {
    if (read->find(pin.id) != &pin) return "a run that is not found by its id";
    if (pin.colour >= model::kPinColours) return "a colour that there is not";
    if (features::compareRuns(pin, *base).words.empty()) return "a run that is not compared";
    if (features::originText(pin).empty() || features::commandOf(pin).empty())
      return "a run without its origin or its command";
    (void)features::experimentText(pin);
    (void)pin.gflops();
    (void)pin.machine();
  }
  const model::Pins none, &mine = *read;
  if (model::mergedPins(none, mine, *again).pins != mine.pins ||
      model::mergedPins(mine, mine, *again).pins != mine.pins ||
      model::mergedPins(none, none, mine).pins != mine.pins)
    return "a run is lost when pins are merged";
  const bool comesBack = !model::mergedPins(mine, none, *again).pins.empty() ||
                         !model::mergedPins(mine, *again, none).pins.empty();
  return comesBack ? "a run that was let go comes back when pins are merged" : "";
}

}  // namespace tilestep::fuzz
