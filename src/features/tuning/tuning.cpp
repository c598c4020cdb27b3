// SPDX-License-Identifier: Apache-2.0
// Legal values of the tunables, and the best ones that are known.
#include "lab/recording/recording.h"
#include "lab/tune/tuned.h"
#include "model/planning.h"
#include "model/session.h"

namespace tilestep::model {

void Session::readTuned(const compile::CatalogueEntry& entry) {
  const compile::Bindings sizes = resolved_->measureSizes;
  const std::string device = resolved_->tuningDevice();
  const uint64_t code = lab::codeHashOf(entry.source);
  tuned_ = {};
  std::vector<std::filesystem::path> folders(options_.tunedFolders.begin(),
                                             options_.tunedFolders.end());
  const lab::KnownTuned known = lab::tunedFor(*entry.spec, code, device, sizes, folders);
  const std::string damage = known.damage.empty() ? "" : known.damage + ". ";
  if (!known.best) {
    tuned_.text = damage + "No best tunables of " + entry.spec->name + " are known for " + device +
                  ": tilestep sweep " + entry.spec->name + " --best finds them on a GPU.";
    return;
  }
  const lab::Tuned& best = *known.best;
  tuned_.known = true;
  tuned_.tunables = best.tunables;
  tuned_.text = damage + "The best of " + lab::searchedText(best) + " on " + best.device + " at " +
                lab::pointText(best.sizes, {}) +
                (best.sizes == sizes ? "" : ", the nearest size that was searched") + " (" +
                best.day + ").";
}

void Session::refreshTuning(const compile::CatalogueEntry& entry) {
  const compile::Bindings tunables = resolved_->tunables;
  const compile::Bindings sizes = resolved_->sceneSizes;
  const std::string key =
      entry.source.text + lab::pointText(sizes, tunables) + resolved_->tuningDevice();
  if (key != legalityKey_) {
    legalityKey_ = key;
    legality_ = std::make_shared<const std::vector<TunableLegality>>(
        legalityOf(*entry.spec, sizes, tunables, resolved_->sceneLimits));
  }
  const std::string asked =
      entry.source.text + resolved_->tuningDevice() + lab::pointText(resolved_->measureSizes, {});
  if (asked == tunedKey_) return;
  tunedKey_ = asked;
  readTuned(entry);
}

void Session::takeBestKnown() {
  const compile::CatalogueEntry* entry = resolved_->entry;
  if (entry == nullptr || !entry->spec || entry->spec->tunables.empty()) return;
  readTuned(*entry);  // A search may have ended since.
  clearNotice("tuned");
  dirty_ = true;
  if (!tuned_.known) return say({Notice::Kind::info, "tuned", tuned_.text, {}, {}});
  change("best known", [&](Choice& choice) { choice.tunables[choice.kernel] = tuned_.tunables; });
  endGesture();
}

void Session::publishTuning(Snapshot& to) const {
  to.legality = legality_;
  to.tuned = tuned_;
  to.tuned.taken = tuned_.known && to.tunables == tuned_.tunables;
  to.resources.clear();
  if (!resolved_->plan) return;
  const lab::RunResult* figures = to.figuresMain.get();
  const bool same = figures != nullptr && figures->plan.tunables == resolved_->plan->tunables &&
                    figures->kernel == choice_.kernel;
  const lab::DeviceFile* known = resolved_->known;
  to.resources = resourcesText(*resolved_->plan,
                               known != nullptr ? deviceLimitsOf(known->name, known->multiprocessor)
                                                : deviceLimitsOf(resolved_->sceneLimits),
                               same ? figures->registers.value_or(0) : 0);
}

}  // namespace tilestep::model
