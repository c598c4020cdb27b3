// SPDX-License-Identifier: Apache-2.0
// What stands beside the kernel and is stepped with it.
#include <algorithm>
#include <utility>

#include "compile/front_matter/front_matter.h"
#include "model/planning.h"
#include "model/session.h"

namespace tilestep::model {
namespace {

constexpr const char* kReference = "matmul_naive";

}  // namespace

const compile::CatalogueEntry* Session::usualBeside(const compile::CatalogueEntry& main) const {
  if (!main.spec || main.spec->reference != "matmul") return nullptr;
  const compile::CatalogueEntry* naive = findEntry(kReference);
  return naive != &main && naive != nullptr && naive->spec ? naive : nullptr;
}

const compile::CatalogueEntry* Session::companionEntry() const {
  const compile::CatalogueEntry* main = findEntry(choice_.kernel);
  if (main == nullptr || !main->spec || choice_.beside.kernel == Comparison::kNone) return nullptr;
  if (choice_.beside.kernel != Comparison::kUsual) {
    const compile::CatalogueEntry* chosen = findEntry(choice_.beside.kernel);
    if (chosen != nullptr && chosen->spec && fitsBeside(*main->spec, *chosen->spec)) return chosen;
  }
  return usualBeside(*main);
}

std::vector<std::string> Session::namesBeside(const compile::CatalogueEntry& main) const {
  std::vector<std::string> names;
  for (const compile::CatalogueEntry& entry : *catalogue_) {
    const std::string name = compile::stemOf(entry.source.path);
    if (entry.spec && findEntry(name) == &entry && fitsBeside(*main.spec, *entry.spec))
      names.push_back(name);
  }
  return names;
}

compile::Bindings Session::besideTunables(const compile::CatalogueEntry& entry,
                                          const compile::Plan& main, bool wholeGrid) const {
  compile::Bindings tunables = companionTunables(*entry.spec, main);
  if (wholeGrid && compile::stemOf(entry.source.path) == kReference)
    for (const compile::TunableSpec& tunable : entry.spec->tunables)
      tunables[tunable.name] = tunable.defaultValue;
  const auto chosen = choice_.beside.tunables.find(compile::stemOf(entry.source.path));
  if (chosen == choice_.beside.tunables.end()) return tunables;
  for (auto& [name, value] : tunables)
    if (const auto own = chosen->second.find(name); own != chosen->second.end())
      value = own->second;
  return tunables;
}

std::optional<compile::Plan> Session::besidePlan() const {
  const compile::CatalogueEntry* entry = companionEntry();
  if (entry == nullptr || !plan_) return std::nullopt;
  auto planned = compile::plan(*entry->spec, plan_->sizes, besideTunables(*entry, *plan_, false),
                               sceneLimits());
  if (!planned) return std::nullopt;
  return std::move(*planned);
}

Dim3 Session::besideBlock(const compile::Plan& plan) const {
  const Dim3 main = clampToGrid(choice_.block, plan_->launches.front().grid);
  const Dim3& grid = plan.launches.front().grid;
  if (sameBlocks(*plan_, plan)) return clampToGrid(main, grid);
  return clampToGrid(choice_.beside.block.value_or(blockBeside(*plan_, main, plan)), grid);
}

std::optional<lab::Experiment> Session::referenceExperiment() const {
  const compile::CatalogueEntry* main = findEntry(choice_.kernel);
  const compile::CatalogueEntry* naive = main != nullptr ? usualBeside(*main) : nullptr;
  if (naive == nullptr || !plan_ || barriers_.changed) return std::nullopt;
  const bool isBeside = companionEntry() == naive;
  if (isBeside && !choice_.beside.tunables.contains(kReference)) return std::nullopt;
  const device::DeviceInfo* device = deviceInUse();
  const bool whole = (device != nullptr && device->measures) ||
                     (!counted_.mainKey.empty() && counted_.mainKey == wanted_.measureMain);
  compile::Bindings tunables;
  for (const compile::TunableSpec& tunable : naive->spec->tunables)
    tunables[tunable.name] = tunable.defaultValue;
  if (whole) return measureExperiment(*naive, std::move(tunables));
  lab::Experiment experiment =
      sceneExperiment(*naive, companionTunables(*naive->spec, *plan_),
                      clampToGrid(choice_.block, plan_->launches.front().grid));
  // Counts alone are wanted: of all blocks, or of the one that makes the same elements.
  if (!experiment.blockAlone) experiment.traceBlock.reset();
  experiment.traceBytes = 1;
  experiment.check = false;
  return experiment;
}

// --- Commands ----------------------------------------------------------------------------------

void Session::chooseBeside(const std::string& nameOrPath) {
  const std::string name = takeKernel(nameOrPath);
  change("beside", [&](Choice& choice) {
    choice.beside.kernel = name;
    choice.beside.block.reset();
  });
  endGesture();
}

void Session::nextBeside(bool forward) {
  const compile::CatalogueEntry* main = findEntry(choice_.kernel);
  if (main == nullptr || !main->spec) return;
  std::vector<std::string> all{Comparison::kUsual, Comparison::kNone};
  // Without a usual one, that is the same as none.
  if (usualBeside(*main) == nullptr) all.erase(all.begin());
  for (std::string& name : namesBeside(*main)) all.push_back(std::move(name));
  const auto now = std::ranges::find(all, choice_.beside.kernel);
  const size_t at = now == all.end() ? 0 : static_cast<size_t>(now - all.begin());
  chooseBeside(all[(at + (forward ? 1 : all.size() - 1)) % all.size()]);
}

void Session::setBesideTunable(const std::string& name, int64_t value) {
  const compile::CatalogueEntry* entry = companionEntry();
  if (entry == nullptr) return;
  change("beside tunable " + name, [&](Choice& choice) {
    choice.beside.tunables[compile::stemOf(entry->source.path)][name] = value;
  });
}

void Session::letBesideFollow() {
  const compile::CatalogueEntry* entry = companionEntry();
  if (entry == nullptr) return;
  change("beside", [&](Choice& choice) {
    choice.beside.tunables.erase(compile::stemOf(entry->source.path));
    choice.beside.block.reset();
  });
  endGesture();
}

void Session::chooseBesideBlock(const Dim3& block) {
  change("beside block", [&](Choice& choice) { choice.beside.block = block; });
  endGesture();
}

void Session::swapSides() {
  const compile::CatalogueEntry* main = findEntry(choice_.kernel);
  const compile::CatalogueEntry* beside = companionEntry();
  const std::optional<compile::Plan> plan = besidePlan();
  if (main == nullptr || !main->spec || beside == nullptr || !plan || barriers_.changed)
    return say({Notice::Kind::info,
                "beside",
                "Nothing stands beside this kernel that could change "
                "places with it.",
                {},
                {}});
  const compile::Bindings mine = tunablesOf(choice_, *main->spec);
  const Dim3 block = besideBlock(*plan), mainBlock = choice_.block;
  const bool follows = companionTunables(*main->spec, *plan) == mine;
  const bool own = !sameBlocks(*plan_, *plan);
  const bool usual = usualBeside(*beside) == main;
  change("beside", [&](Choice& choice) {
    Comparison& next = choice.beside;
    next.tunables.erase(compile::stemOf(beside->source.path));
    choice.kernel = compile::stemOf(beside->source.path);
    choice.tunables[choice.kernel] = plan->tunables;
    next.kernel = usual && follows ? Comparison::kUsual : compile::stemOf(main->source.path);
    if (follows)
      next.tunables.erase(compile::stemOf(main->source.path));
    else
      next.tunables[compile::stemOf(main->source.path)] = mine;
    next.block.reset();
    if (own) next.block = mainBlock;
    choice.block = block;
    choice.withoutBarrier = 0;
  });
  endGesture();
}

// --- What is shown -----------------------------------------------------------------------------

std::shared_ptr<const TracedKernel> Session::named(const std::shared_ptr<const TracedKernel>& side,
                                                   const std::string& key,
                                                   const std::string& difference) {
  const std::string name = plainNameOf(*side) + (difference.empty() ? "" : " (" + difference + ")");
  if (side->shortName == name) return side;
  for (const std::string& as : {key, key + " as " + name})
    if (std::shared_ptr<const TracedKernel> known = cached(as); known && known->shortName == name)
      return known;
  auto named = withName(*side, name);
  keep(key + " as " + name, named);
  return named;
}

void Session::placeSides() {
  const bool same = mainSide_ && companionSide_ && mainSide_->kernel == companionSide_->kernel &&
                    mainSide_->removedLine == 0;
  const auto difference = [&](const TracedKernel& of, const TracedKernel& to) {
    return same ? differenceOf(of.spec, of.result->plan.tunables, to.result->plan.tunables)
                : std::string();
  };
  const std::string mine = same ? difference(*mainSide_, *companionSide_) : "";
  const std::string other = same ? difference(*companionSide_, *mainSide_) : "";
  if (mainSide_) mainSide_ = named(mainSide_, mainSideKey_, mine);
  if (companionSide_) companionSide_ = named(companionSide_, companionSideKey_, other);
  stepper_.setSides(mainSide_, companionSide_);
}

void Session::publishBeside(Snapshot& to) const {
  ComparisonView& view = to.beside;
  const compile::CatalogueEntry* main = findEntry(choice_.kernel);
  if (main == nullptr || !main->spec) return;
  view.kernels = namesBeside(*main);
  const compile::CatalogueEntry* entry = companionEntry();
  const std::string& chosen = choice_.beside.kernel;
  const bool isWord = chosen == Comparison::kUsual || chosen == Comparison::kNone;
  if (!isWord && std::ranges::find(view.kernels, chosen) == view.kernels.end())
    view.trouble = findEntry(chosen) == nullptr
                       ? "There is no kernel " + chosen + "."
                       : chosen + " cannot stand beside " + choice_.kernel +
                             ": its sizes or operands are others.";
  if (barriers_.changed) view.instead = shortNameOf(main->spec->name) + " with all its barriers";
  if (entry == nullptr || barriers_.changed) return;
  view.entry = static_cast<size_t>(entry - catalogue_->data());
  view.follows = !choice_.beside.tunables.contains(compile::stemOf(entry->source.path));
  if (!plan_) return;
  view.tunables = besideTunables(*entry, *plan_, false);
  const auto planned = compile::plan(*entry->spec, plan_->sizes, view.tunables, sceneLimits());
  if (!planned) {
    view.trouble = planned.error().message;
    return;
  }
  view.ownBlock = !sameBlocks(*plan_, *planned);
  view.together = together_;
}

}  // namespace tilestep::model
