// SPDX-License-Identifier: Apache-2.0
#include "app/best/best_report.h"

#include <algorithm>
#include <cstdio>

#include "app/environment.h"
#include "base/factor.h"
#include "base/figure.h"
#include "base/files.h"
#include "base/utc.h"
#include "lab/recording/recording.h"
#include "lab/recording/recording_make.h"
#include "lab/tune/tuned.h"

namespace tilestep::app {
namespace {

std::string nameOf(const BestChoice& choice) {
  return lab::pointText({}, choice.tunables);
}

}  // namespace

std::string milliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g ms", ms);
  return text;
}

std::string whereText(const BestSearch& search, const compile::Bindings& sizes) {
  return search.kernel.spec.name + " at " + lab::pointText(sizes, {});
}

std::string candidatesText(const BestSearch& search, const compile::Bindings& sizes,
                           const BestTally& tally) {
  std::string text = "tilestep: " + whereText(search, sizes) + " on " + search.device.name + ": " +
                     grouped(tally.legal) + " of " + grouped(tally.combinations) +
                     " combinations are legal";
  if (tally.notCompiled > 0)
    text += "; " + grouped(tally.notCompiled) + " cannot be good and are not compiled";
  return text;
}

std::string stoppedText(const BestSearch& search, const compile::Bindings& sizes,
                        const BestTally& tally, const std::optional<BestChoice>& best) {
  std::string text = "tilestep: interrupted, " + whereText(search, sizes) + ": " +
                     grouped(tally.timed) + " timed of " + grouped(tally.legal) + " legal";
  if (best)
    text += "; the fastest so far is " + nameOf(*best) + " with " + milliseconds(best->ms) +
            ", briefly timed and not checked";
  return text;
}

std::string wonText(const BestTally& tally, const BestChoice& winner,
                    std::optional<double> defaultMs, bool winnerIsDefault) {
  std::string text = "tilestep: best of " + grouped(tally.timed) + " timed of " +
                     grouped(tally.legal) + " legal (" + grouped(tally.dropped) + " dropped" +
                     (tally.failed > 0 ? ", " + grouped(tally.failed) + " failed" : "") +
                     "): " + nameOf(winner) + ", " + milliseconds(winner.ms);
  if (winnerIsDefault) return text + ": the defaults";
  if (!defaultMs) return text;
  return text + ", " + factorText(winner.ms, *defaultMs, kTimeWords) +
         (isNearly(winner.ms, *defaultMs) ? " as the defaults" : " than the defaults");
}

std::string keepBest(BestSearch& search, const compile::Bindings& sizes, const BestTally& tally,
                     const BestChoice& winner) {
  const compile::KernelSpec& spec = search.kernel.spec;
  const std::string right = !spec.reference.empty() ? "; its result agrees with float64"
                            : compile::isCheckable(spec)
                                ? "; its result is what the kernel expects"
                                : "; the kernel names no reference to check it against";
  // The best of only some values is not the best known choice.
  if (!search.axes.tunables.empty()) return right + "; not kept, because --set left choices out";
  if (search.devices.size() > 1) return right + "; not kept, because several devices answered";
  const std::filesystem::path state = stateFolder();
  if (state.empty()) return right + "; there is no folder to keep it in";
  const auto kept =
      lab::keepTuned(state / "tuned", search.kernel.spec,
                     {search.kernel.spec.name, search.code, search.device.name, sizes,
                      winner.tunables, winner.ms, tally.timed, tally.legal, utcToday()});
  if (!kept) {
    search.wrong = true;
    return right + "; not kept: " + kept.error().message;
  }
  if (!kept->note.empty()) say("tilestep: " + kept->note);
  if (const std::optional<lab::Tuned>& older = kept->older) {
    return right + "; not kept, because the older one remains, " +
           lab::pointText({}, older->tunables) + " with " + milliseconds(older->medianMs) + " (" +
           lab::searchedText(*older) + ", " + older->day + ")";
  }
  return right + "; kept: tilestep run " + search.options.kernel + " --tuned";
}

}  // namespace tilestep::app
