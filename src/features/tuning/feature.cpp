// SPDX-License-Identifier: Apache-2.0
// Legal values of the tunables, and the best known ones.
#include "model/feature.h"

#include "features/tuning/search_job.h"
#include "features/tuning/view.h"
#include "lab/recording/recording.h"
#include "lab/tune/tuned.h"
#include "model/choice/planning.h"
#include "model/model.h"

namespace tilestep::features::tuning {
namespace {

BestTunables bestTunables(const Model& model, const compile::CatalogueEntry& entry) {
  const compile::Bindings& sizes = model.resolved->measureSizes;
  const std::string device = model.resolved->tuningDevice();
  const auto known = model.points->tuned(device);
  if (known == nullptr) return {.text = "The best known tunables are still being read."};
  const auto tuned =
      lab::bestTuned(*entry.spec, lab::programHashOf(entry.source, *entry.spec), sizes, *known);
  const std::string damage = known->damage.empty() ? "" : known->damage + ". ";
  BestTunables found;
  if (!tuned) {
    found.text = damage + "No best tunables of " + entry.spec->name + " are known for " + device +
                 (model.resolved->isLive() ? "; \"find the best\" searches for them."
                                           : "; only a GPU can search for them.");
    return found;
  }
  const lab::Tuned& best = *tuned;
  found.known = true;
  found.tunables = best.tunables;
  found.text = damage + "The best of " + lab::searchedText(best) + " on " + best.device + " at " +
               lab::pointText(best.sizes, {}) +
               (best.sizes == sizes ? "" : ", the nearest size that was searched") + " (" +
               best.day + ").";
  return found;
}

std::string resourcesOf(const Moment& moment) {
  const Resolved& resolved = moment.resolved;
  if (!resolved.plan) return {};
  const lab::RunResult* figures = moment.shared.figuresMain.get();
  const bool same = figures != nullptr && figures->plan.tunables == resolved.plan->tunables &&
                    figures->kernel == resolved.choice.kernel;
  const lab::DeviceFile* known = resolved.known;
  return resourcesText(*resolved.plan,
                       known != nullptr ? deviceLimitsOf(known->name, known->multiprocessor)
                                        : deviceLimitsOf(resolved.sceneLimits),
                       same ? figures->registers.value_or(0) : 0);
}

class Tuning : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return TuningView::kFeature; }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Tuning>()
                                  .add("set", &Tuning::set)
                                  .add("pad", &Tuning::togglePadding)
                                  .add("best", &Tuning::takeBestKnown)
                                  .add("search", &Tuning::startSearch)
                                  .add("cancel", &Tuning::cancelSearch);
    return table.apply(*this, model, command);
  }

  void want(Model& model) override {
    const Resolved& resolved = *model.resolved;
    if (!resolved.isUsable()) return;
    const compile::CatalogueEntry& entry = *resolved.entry;
    const std::string of = entry.source.text + resolved.tuningDevice();
    std::string key = of + lab::pointText(resolved.sceneSizes, resolved.tunables);
    if (key != legalityKey_) {
      legalityKey_ = std::move(key);
      legality_ = std::make_shared<const std::vector<TunableLegality>>(
          legalityOf(*entry.spec, resolved.sceneSizes, resolved.tunables, resolved.sceneLimits));
    }
    key = of + lab::pointText(resolved.measureSizes, {}) + (resolved.isLive() ? "live" : "");
    const auto known = model.points->tuned(resolved.tuningDevice());
    if (key == bestKey_ && known == known_) return;
    bestKey_ = std::move(key);
    known_ = known;
    best_ = bestTunables(model, entry);
  }

  void poll(Model& model) override {
    search_.poll(model);
    if (takes_) takeOnceRead(model);
  }
  [[nodiscard]] bool works() const override { return search_.works(); }
  void accept(const Arrival& arrival, Model& model) override { search_.accept(arrival, model); }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    auto view = std::make_shared<TuningView>();
    view->pending = takes_ || moment.model.points->isReadingTuned(moment.resolved.tuningDevice());
    view->legality = legality_;
    view->best = best_;
    view->best.taken = best_.known && moment.shared.tunables == best_.tunables;
    view->resources = resourcesOf(moment);
    view->search = search_.view(moment.model, moment.resolved);
    return view;
  }

 private:
  void set(Model& model, const std::string& name, int64_t value) {
    model.lastTunable = name;
    chooseTunables(model, "tunable " + name, {{name, value}});
  }

  /// Turns padding of the main kernel's tiles by one column on or off; a notice reports if that is
  /// not possible.
  void togglePadding(Model& model) {
    const Resolved& resolved = *model.resolved;
    if (!resolved.isUsable()) return;
    const std::optional<PadSwitch> pad = padSwitchOf(*resolved.entry->spec, resolved.tunables);
    if (!pad)
      return model.say({Notice::Kind::info,
                        "padding",
                        "This kernel has no tiles that could be padded; the warp view (W) says "
                        "for each access whether padding would help.",
                        {},
                        {}});
    model.clearNotice("padding");
    const bool padded = resolved.tunables.at(pad->tunable) == pad->with;
    set(model, pad->tunable, padded ? pad->without : pad->with);
    model.endGesture();
  }

  /// Sets all tunables to the best known for the device and the measured sizes; a notice reports if
  /// none are known. A command may have found better ones, so they are read again first.
  void takeBestKnown(Model& model) {
    const Resolved& resolved = *model.resolved;
    if (!resolved.isUsable() || resolved.entry->spec->tunables.empty()) return;
    model.points->readTunedAgain(resolved.tuningDevice());
    model.clearNotice(kTunedNotice);
    takes_ = model.changed = true;
    takeOnceRead(model);
  }
  void takeOnceRead(Model& model) {
    const Resolved& resolved = *model.resolved;
    if (model.points->isReadingTuned(resolved.tuningDevice())) return;
    takes_ = false;
    if (!resolved.isUsable()) return;
    best_ = bestTunables(model, *resolved.entry);
    model.changed = true;
    if (!best_.known) return model.say({Notice::Kind::info, kTunedNotice, best_.text, {}, {}});
    chooseBest(model, best_.tunables);
  }

  bool startSearch(Model& model) {
    if (!SearchJob::isPossible(*model.resolved)) return false;
    best_ = bestTunables(model, *model.resolved->entry);
    return search_.start(model, best_.known ? std::optional(best_.tunables) : std::nullopt);
  }
  void cancelSearch(Model& model) { search_.cancel(model); }

  SearchJob search_;
  std::string legalityKey_, bestKey_;
  std::shared_ptr<const lab::DeviceTuned> known_;  ///< The source of `best_`.
  bool takes_ = false;  ///< The best known tunables are chosen once they have been read.
  std::shared_ptr<const std::vector<TunableLegality>> legality_;
  BestTunables best_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Tuning>();
}

}  // namespace tilestep::features::tuning
