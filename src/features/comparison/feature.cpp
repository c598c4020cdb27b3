// SPDX-License-Identifier: Apache-2.0
// The companion kernel, which is stepped together with the main kernel.
#include "model/feature.h"

#include <algorithm>
#include <utility>

#include "compile/front_matter/front_matter.h"
#include "features/comparison/view.h"
#include "model/choice/planning.h"
#include "model/model.h"

namespace tilestep::features::comparison {
namespace {

class Compared : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return ComparisonView::kFeature; }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Compared>()
                                  .add("choose", &Compared::choose)
                                  .add("next", &Compared::next)
                                  .add("set", &Compared::set)
                                  .add("follow", &Compared::follow)
                                  .add("block", &Compared::chooseBlock)
                                  .add("swap", &Compared::swap);
    return table.apply(*this, model, command);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Resolved& resolved = moment.resolved;
    const compile::CatalogueEntry* main = resolved.entry;
    if (main == nullptr || !main->spec) return nullptr;
    auto view = std::make_shared<ComparisonView>();
    view->kernels = resolved.comparisonNames;
    view->hasUsual = resolved.usualComparison(*main) != nullptr;
    const compile::CatalogueEntry* entry = resolved.comparisonEntry();
    const std::string& chosen = resolved.choice.comparison.kernel;
    const bool isWord = chosen == Comparison::kUsual || chosen == Comparison::kNone;
    if (!isWord && std::ranges::find(view->kernels, chosen) == view->kernels.end())
      view->trouble = resolved.find(chosen) == nullptr
                          ? "There is no kernel " + chosen + "."
                          : chosen + " cannot be compared with " + resolved.choice.kernel +
                                ": its sizes or operands differ.";
    if (resolved.changed && chosen != Comparison::kNone)
      view->instead = shortNameOf(main->spec->name) + " with all its barriers";
    if (entry == nullptr || resolved.changed) return view;
    view->entry = static_cast<size_t>(entry - resolved.catalogue->data());
    view->follows = !resolved.choice.comparison.tunables.contains(compile::nameOf(entry->source));
    if (!resolved.plan) return view;
    view->tunables = resolved.comparisonTunables(*entry, *resolved.plan, false);
    const Companion& companion = *resolved.companion;
    if (!companion.plan) {
      view->trouble = companion.trouble;
      return view;
    }
    if (resolved.dataFor(*entry))
      view->data = "It computes on the data of " + resolved.choice.kernel +
                   ", and both are compiled by clang.";
    view->ownBlock = !sameBlocks(*resolved.plan, *companion.plan);
    view->together = moment.shared.together;
    return view;
  }

 private:
  /// Accepts a kernel's name or path, Comparison::kUsual or Comparison::kNone.
  void choose(Model& model, const std::string& nameOrPath) {
    const std::string name = model.takeKernel(nameOrPath);
    model.change("beside", [&](Choice& choice) {
      choice.comparison.kernel = name;
      choice.comparison.block.reset();
    });
    model.endGesture();
  }

  /// Chooses the next of: the default companion, none, and each kernel that fits.
  void next(Model& model, bool forward) {
    const Resolved& resolved = *model.resolved;
    if (!resolved.isUsable()) return;
    std::vector<std::string> all{Comparison::kUsual, Comparison::kNone};
    // Without a default companion, "default" is the same as "none".
    if (resolved.usualComparison(*resolved.entry) == nullptr) all.erase(all.begin());
    for (const std::string& name : resolved.comparisonNames) all.push_back(name);
    const auto now = std::ranges::find(all, model.choice.comparison.kernel);
    const size_t at = now == all.end() ? 0 : static_cast<size_t>(now - all.begin());
    choose(model, all[(at + (forward ? 1 : all.size() - 1)) % all.size()]);
  }

  void set(Model& model, const std::string& name, int64_t value) {
    const compile::CatalogueEntry* entry = model.resolved->comparisonEntry();
    if (entry == nullptr) return;
    model.change("beside tunable " + name, [&](Choice& choice) {
      choice.comparison.tunables[compile::nameOf(entry->source)][name] = value;
    });
  }

  /// Makes the companion's tunables and block follow the main kernel again.
  void follow(Model& model) {
    const compile::CatalogueEntry* entry = model.resolved->comparisonEntry();
    if (entry == nullptr) return;
    model.change("beside", [&](Choice& choice) {
      choice.comparison.tunables.erase(compile::nameOf(entry->source));
      choice.comparison.block.reset();
    });
    model.endGesture();
  }

  /// Sets the traced block of a companion whose blocks compute other elements.
  void chooseBlock(Model& model, const Dim3& block) {
    model.change("beside block", [&](Choice& choice) { choice.comparison.block = block; });
    model.endGesture();
  }

  /// Swaps the main kernel and its companion, each with its tunables and block.
  void swap(Model& model) {
    const Resolved& resolved = *model.resolved;
    const compile::CatalogueEntry* main = resolved.entry;
    const compile::CatalogueEntry* comparison = resolved.comparisonEntry();
    if (comparison == nullptr || !resolved.companion->plan || resolved.changed)
      return model.say(
          {Notice::Kind::info,
           "beside",
           "This kernel is not compared with another one, so there is nothing to swap.",
           {},
           {}});
    if ((main->source.launch != nullptr) != (comparison->source.launch != nullptr))
      return model.say({Notice::Kind::info,
                        "beside",
                        "A program's launch has its own sizes and data, so it cannot be "
                        "swapped with a kernel.",
                        {},
                        {}});
    const compile::Plan plan = *resolved.companion->plan;
    const compile::Bindings mine = resolved.tunables;
    const Dim3 block = resolved.companion->block, mainBlock = model.choice.block;
    const bool follows = companionTunables(*main->spec, plan) == mine;
    const bool own = !sameBlocks(*resolved.plan, plan);
    const bool usual = resolved.usualComparison(*comparison) == main;
    model.change("beside", [&](Choice& choice) {
      Comparison& next = choice.comparison;
      next.tunables.erase(compile::nameOf(comparison->source));
      choice.kernel = compile::nameOf(comparison->source);
      choice.tunables[choice.kernel] = plan.tunables;
      next.kernel = usual && follows ? Comparison::kUsual : compile::nameOf(main->source);
      if (follows)
        next.tunables.erase(compile::nameOf(main->source));
      else
        next.tunables[compile::nameOf(main->source)] = mine;
      next.block.reset();
      if (own) next.block = mainBlock;
      choice.block = block;
      choice.withoutBarrier = 0;
    });
    model.endGesture();
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Compared>();
}

}  // namespace tilestep::features::comparison
