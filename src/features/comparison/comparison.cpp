// SPDX-License-Identifier: Apache-2.0
// What stands beside the kernel and is stepped with it.
#include <algorithm>
#include <utility>

#include "compile/front_matter/front_matter.h"
#include "model/planning.h"
#include "model/session.h"

namespace tilestep::model {

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
  const compile::CatalogueEntry* main = resolved_->entry;
  if (main == nullptr || !main->spec) return;
  std::vector<std::string> all{Comparison::kUsual, Comparison::kNone};
  // Without a usual one, that is the same as none.
  if (resolved_->usualBeside(*main) == nullptr) all.erase(all.begin());
  for (const std::string& name : resolved_->besideNames) all.push_back(name);
  const auto now = std::ranges::find(all, choice_.beside.kernel);
  const size_t at = now == all.end() ? 0 : static_cast<size_t>(now - all.begin());
  chooseBeside(all[(at + (forward ? 1 : all.size() - 1)) % all.size()]);
}

void Session::setBesideTunable(const std::string& name, int64_t value) {
  const compile::CatalogueEntry* entry = resolved_->besideEntry();
  if (entry == nullptr) return;
  change("beside tunable " + name, [&](Choice& choice) {
    choice.beside.tunables[compile::stemOf(entry->source.path)][name] = value;
  });
}

void Session::letBesideFollow() {
  const compile::CatalogueEntry* entry = resolved_->besideEntry();
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
  const compile::CatalogueEntry* main = resolved_->entry;
  const compile::CatalogueEntry* beside = resolved_->besideEntry();
  if (beside == nullptr || !resolved_->companion->plan || resolved_->changed)
    return say({Notice::Kind::info,
                "beside",
                "Nothing stands beside this kernel that could change "
                "places with it.",
                {},
                {}});
  const compile::Plan plan = *resolved_->companion->plan;
  const compile::Bindings mine = resolved_->tunables;
  const Dim3 block = resolved_->companion->block, mainBlock = choice_.block;
  const bool follows = companionTunables(*main->spec, plan) == mine;
  const bool own = !sameBlocks(*resolved_->plan, plan);
  const bool usual = resolved_->usualBeside(*beside) == main;
  change("beside", [&](Choice& choice) {
    Comparison& next = choice.beside;
    next.tunables.erase(compile::stemOf(beside->source.path));
    choice.kernel = compile::stemOf(beside->source.path);
    choice.tunables[choice.kernel] = plan.tunables;
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
  const compile::CatalogueEntry* main = resolved_->entry;
  if (main == nullptr || !main->spec) return;
  view.kernels = resolved_->besideNames;
  const compile::CatalogueEntry* entry = resolved_->besideEntry();
  const std::string& chosen = choice_.beside.kernel;
  const bool isWord = chosen == Comparison::kUsual || chosen == Comparison::kNone;
  if (!isWord && std::ranges::find(view.kernels, chosen) == view.kernels.end())
    view.trouble = resolved_->find(chosen) == nullptr
                       ? "There is no kernel " + chosen + "."
                       : chosen + " cannot stand beside " + choice_.kernel +
                             ": its sizes or operands are others.";
  if (resolved_->changed) view.instead = shortNameOf(main->spec->name) + " with all its barriers";
  if (entry == nullptr || resolved_->changed) return;
  view.entry = static_cast<size_t>(entry - resolved_->catalogue->data());
  view.follows = !choice_.beside.tunables.contains(compile::stemOf(entry->source.path));
  if (!resolved_->plan) return;
  view.tunables = resolved_->besideTunables(*entry, *resolved_->plan, false);
  const Companion& companion = *resolved_->companion;
  if (!companion.plan) {
    view.trouble = companion.trouble;
    return;
  }
  view.ownBlock = !sameBlocks(*resolved_->plan, *companion.plan);
  view.together = together_;
}

}  // namespace tilestep::model
