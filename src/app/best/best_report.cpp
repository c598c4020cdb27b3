// SPDX-License-Identifier: Apache-2.0
#include "app/best/best_report.h"

#include <cstdio>

#include "app/environment.h"
#include "base/factor.h"
#include "base/figure.h"
#include "base/files.h"
#include "base/utc.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/points/points_file.h"
#include "lab/recording/recording.h"
#include "lab/recording/recording_make.h"
#include "lab/tune/tuned.h"

namespace tilestep::app {
std::string milliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g ms", ms);
  return text;
}

std::string whereText(const BestSearch& search, const compile::Bindings& sizes) {
  return search.kernel.spec.name + " at " + lab::pointText(sizes, {});
}

std::string candidatesText(const BestSearch& search, const compile::Bindings& sizes,
                           const lab::TuneTally& tally) {
  std::string text = "tilestep: " + whereText(search, sizes) + " on " + search.device.name + ": " +
                     grouped(tally.legal) + " of " + grouped(tally.combinations) +
                     " combinations are legal";
  if (tally.notCompiled > 0)
    text += "; " + grouped(tally.notCompiled) + " cannot be good and are not compiled";
  return text;
}

std::string stoppedText(const BestSearch& search, const compile::Bindings& sizes,
                        const lab::TuneTally& tally,
                        const std::optional<std::pair<compile::Bindings, double>>& best) {
  std::string text = "tilestep: interrupted, " + whereText(search, sizes) + ": " +
                     grouped(tally.timed) + " timed of " + grouped(tally.legal) + " legal";
  if (best)
    text += "; the fastest so far is " + lab::pointText({}, best->first) + " with " +
            milliseconds(best->second) + ", briefly timed and not checked";
  return text;
}

std::string wonText(const BestSearch& search, const lab::TuneTally& tally, const lab::Tuned& winner,
                    std::optional<double> defaultMs) {
  const bool isDefault = winner.tunables == compile::defaultTunables(search.kernel.spec);
  std::string text =
      "tilestep: best of " + lab::searchedText(winner) + " (" + grouped(tally.dropped) +
      " dropped" + (tally.failed > 0 ? ", " + grouped(tally.failed) + " failed" : "") +
      "): " + lab::pointText({}, winner.tunables) + ", " + milliseconds(winner.medianMs);
  if (isDefault) return text + ": the defaults";
  if (!defaultMs) return text;
  return text + ", " + factorText(winner.medianMs, *defaultMs, kTimeWords) +
         (isNearly(winner.medianMs, *defaultMs) ? " as the defaults" : " than the defaults");
}

std::string keepBest(BestSearch& search, lab::Tuned winner) {
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
  winner.day = utcToday();
  const Result<lab::Database> own = lab::openPoints(lab::pointsFileIn(state));
  const auto kept = own ? lab::keepTuned(*own, spec, winner) : own.error();
  if (!kept) {
    search.wrong = true;
    return right + "; not kept: " + kept.error().message;
  }
  if (const std::optional<lab::Tuned>& older = *kept) {
    return right + "; not kept, because the older one remains, " +
           lab::pointText({}, older->tunables) + " with " + milliseconds(older->medianMs) + " (" +
           lab::searchedText(*older) + ", " + older->day + ")";
  }
  return right + "; kept: tilestep run " + search.options.kernel + " --tuned";
}

}  // namespace tilestep::app
