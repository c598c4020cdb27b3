// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <algorithm>

#include "features/barriers/view.h"
#include "model/choice/barrier_calls.h"
#include "model/model.h"

namespace tilestep::features::barriers {
namespace {

using TracedPointer = std::shared_ptr<const model::TracedKernel>;

class Barriers : public model::Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return BarriersView::kFeature; }

  bool apply(const model::Command& command, model::Model& model) override {
    static const auto table = model::CommandTable<Barriers>()
                                  .add("remove", &Barriers::remove)
                                  .add("next", &Barriers::removeNext);
    return table.apply(*this, model, command);
  }

  [[nodiscard]] model::ViewPointer view(const model::Moment& moment) override {
    const model::Snapshot& shared = moment.shared;
    if (!shared.mainKernel) return nullptr;
    lookAt(shared.mainKernel, shared.companionKernel);
    if (!parts_) return nullptr;
    if (shown_ && shownStep_ == shared.main) return shown_;
    auto view = std::make_shared<BarriersView>(*parts_);
    if (shared.main) view->stepText = stepText(*shared.main);
    shownStep_ = shared.main;
    return shown_ = std::move(view);
  }

 private:
  /// Runs the scene in the interpreter without barrier `number` of the kernel (counted from 1; 0
  /// removes no barrier), beside the unchanged kernel.
  void remove(model::Model& model, uint32_t number) {
    model.change("barrier", [&](model::Choice& choice) { choice.withoutBarrier = number; });
    model.endGesture();
  }

  /// Removes the next barrier. After the last one, restores all barriers.
  void removeNext(model::Model& model) {
    const compile::CatalogueEntry* entry = model.entry();
    const size_t calls = entry == nullptr ? 0 : model::barrierCalls(entry->source.text).size();
    if (calls == 0)
      return model.say({model::Notice::Kind::info,
                        "barrier",
                        "This kernel has no __syncthreads() or __syncwarp() that could be removed.",
                        {},
                        {}});
    remove(model, static_cast<uint32_t>((model.choice.withoutBarrier + 1) % (calls + 1)));
  }

  /// Updates roles, notes and races if the kernels have changed.
  void lookAt(const TracedPointer& main, const TracedPointer& companion) {
    // The kernel with all its barriers is the companion while a barrier is removed.
    const bool changed = main->removedLine > 0;
    const bool comparison = changed && companion && companion->kernel == main->kernel;
    const TracedPointer whole = changed ? (comparison ? companion : nullptr) : main;
    if (parts_ && main_ == main && whole_ == whole) return;
    BarriersView parts;
    parts.roles = parts_ && whole_ == whole
                      ? parts_->roles
                      : std::make_shared<const std::vector<BarrierRole>>(
                            whole ? barrierRoles(*whole) : std::vector<BarrierRole>());
    parts.lineNotes = std::make_shared<const std::vector<LineNote>>(lineNotes(*main, *parts.roles));
    parts.race = raceViewOf(*main, changed ? whole.get() : nullptr);
    if (parts.race) parts.headline = parts.race->verdict;
    parts_ = std::move(parts);
    main_ = main;
    whole_ = whole;
    shown_ = nullptr;
  }

  [[nodiscard]] std::string stepText(const model::TracedStep& step) const {
    std::string text;
    if (main_->removedLine > 0)
      text = "Line " + std::to_string(main_->removedLine) +
             (isWithoutWarpBarrier(*main_)
                  ? " is removed. The interpreter runs the lanes of a warp together, as long as "
                    "they take the same path."
                  : " is removed. The interpreter lets each warp run as far as it can before the "
                    "next one begins.");
    for (const BarrierRole& role : *parts_->roles) {
      const std::string guards = guardText(role);
      const bool here = std::ranges::binary_search(step.step.lines, role.line);
      if (!here || guards.empty()) continue;
      text += (text.empty() ? "Barrier, line " : "\nBarrier, line ") + std::to_string(role.line) +
              ": " + guards + ".";
    }
    return text;
  }

  TracedPointer main_, whole_;
  std::optional<BarriersView> parts_;  ///< The view of these kernels without the step's text.
  std::shared_ptr<const model::TracedStep> shownStep_;
  std::shared_ptr<const BarriersView> shown_;  ///< The view at shownStep_.
};

}  // namespace

std::unique_ptr<model::Feature> make() {
  return std::make_unique<Barriers>();
}

}  // namespace tilestep::features::barriers
