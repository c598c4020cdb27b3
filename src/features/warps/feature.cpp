// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/warps/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"

namespace tilestep::features::warps {
namespace {

void addLanes(Table& out, const WarpView& view) {
  std::vector<std::string> places(view.lanes.size()), waits(view.lanes.size());
  if (view.space == trace::Space::shared) {
    for (size_t bank = 0; bank < metrics::kBanks; ++bank)
      for (size_t word = 0; word < view.shared.banks[bank].size(); ++word)
        for (const uint32_t lane : view.shared.banks[bank][word].lanes) {
          places[lane] = whole(bank);
          waits[lane] = whole(word + 1);
        }
  } else {
    for (size_t i = 0; i < view.global.sectors.size(); ++i)
      for (const uint32_t lane : view.global.sectors[i].lanes) {
        places[lane] = whole(i);
        waits[lane] = whole(view.global.sectors[i].usedBytes);
      }
  }
  for (size_t i = 0; i < view.lanes.size(); ++i)
    add(out, {whole(view.lanes[i].lane), view.lanes[i].name, places[i], waits[i]});
}

Table warpTable(const Snapshot& now, const TableOptions& options) {
  const auto& view = options.companion && now.companion ? now.view<WarpsView>().companion
                                                        : now.view<WarpsView>().main;
  Table out;
  if (!view) return out;
  const bool shared = view->space == trace::Space::shared;
  out.title = "Warp " + whole(view->warp) + ", " + view->groups[view->group] +
              (view->line > 0 ? ", line " + whole(view->line) : "") + ". " + view->verdict;
  if (shared)
    out.columns = {"lane", "element", "bank", "word of the bank, from 1"};
  else
    out.columns = {"lane", "element", "sector of the request, from 0", "bytes used of its 32"};
  addLanes(out, *view);
  return out;
}

class Warps : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return WarpsView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"warp", "one warp", warpTable}};
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Warps>().add("access", &Warps::chooseAccess);
    return table.apply(*this, model, command);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Snapshot& shared = moment.shared;
    if (view_ && main_ == shared.main && companion_ == shared.companion) return view_;
    auto view = std::make_shared<WarpsView>();
    if (shared.main) view->main = warpViewOf(*shared.main, choice_);
    if (shared.companion) view->companion = warpViewOf(*shared.companion, choice_);
    main_ = shared.main;
    companion_ = shared.companion;
    return view_ = std::move(view);
  }

 private:
  /// Selects one of the step's accesses.
  void chooseAccess(Model& model, const std::string& group, size_t index) {
    choice_ = {group, index};
    view_ = nullptr;
    model.changed = true;
  }

  WarpChoice choice_;
  std::shared_ptr<const TracedStep> main_,
      companion_;  ///< The inputs from which the view was computed.
  std::shared_ptr<const WarpsView> view_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Warps>();
}

}  // namespace tilestep::features::warps
