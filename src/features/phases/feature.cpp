// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <utility>

#include "features/phases/view.h"
#include "model/export/table_parts.h"
#include "model/files/saved.h"
#include "model/model.h"
#include "model/text/step_text.h"

namespace tilestep::features::phases {
namespace {

Table phasesTable(const Snapshot& now, const TableOptions& options) {
  Table out;
  const TracedStep* step = stepOf(now, options).get();
  const bool main = step == now.main.get();
  const auto& work = main ? now.mainWork : now.companionWork;
  auto table = main ? now.view<PhasesView>().main : now.view<PhasesView>().companion;
  if (!table && work) table = phaseTableOf(*work);
  if (!table) return out;
  out.title = "Execution phases of " + table->title + ", from its trace";
  out.columns = {"thread x", "thread y", "warp", "phase"};
  for (const std::string& operand : table->operands) {
    out.columns.push_back("load of " + operand);
    out.columns.push_back("slot of " + operand);
  }
  out.columns.insert(out.columns.end(), {"sum gains", "sum after"});
  for (const PhaseTable::Row& row : table->rows)
    for (size_t i = 0; i < row.phases.size(); ++i) {
      std::vector<std::string> cells{std::to_string(row.at.x), std::to_string(row.at.y),
                                     std::to_string(row.warp), std::to_string(table->phases[i])};
      for (const PhaseTable::Load& load : row.phases[i].loads)
        cells.insert(cells.end(), {load.from, load.to});
      cells.insert(cells.end(), {joined(row.phases[i].gain), row.phases[i].sum});
      add(out, std::move(cells));
    }
  return out;
}

class Phases : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return PhasesView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"phases", "execution phases", phasesTable}};
  }
  void restore(const Place& place, Model& /*model*/) override { wanted_ = place.table; }
  void save(Place& place) const override { place.table = wanted_; }
  bool apply(const Command& command, Model& model) override {
    static const auto table =
        CommandTable<Phases>().add("table", &Phases::lookAt).add("classic", &Phases::showClassic);
    return table.apply(*this, model, command);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    keep(main_, moment.shared.mainWork);
    keep(companion_, moment.shared.companionWork);
    auto view = std::make_shared<PhasesView>();
    view->wanted = wanted_;
    view->main = main_.table;
    view->companion = companion_.table;
    return view;
  }

 private:
  struct Kept {
    std::shared_ptr<const TracedKernel> of;
    std::shared_ptr<const PhaseTable> table;
  };

  void lookAt(Model& model, bool wanted) {
    if (std::exchange(wanted_, wanted) != wanted) model.changed = true;
  }

  /// Shows the textbook's example: 4 x 4 matrices, tiles of 2 x 2, and the table.
  void showClassic(Model& model) {
    SceneRequest request;
    request.kernel = "matmul_tiled";
    request.tunables = {{"TILE_WIDTH", 2}};
    request.sizes = {{"m", 4}, {"n", 4}, {"k", 4}};
    request.thread = Dim3{0, 0, 0};
    model.show(request);
    wanted_ = true;
    model.changed = true;
  }

  /// Keeps this side's table. If the side has changed, makes the new table only if it is wanted.
  void keep(Kept& kept, const std::shared_ptr<const BlockWork>& work) const {
    const std::shared_ptr<const TracedKernel> side = work ? work->side() : nullptr;
    if (kept.of == side) return;
    kept = {wanted_ ? side : nullptr, wanted_ && work ? phaseTableOf(*work) : nullptr};
  }

  bool wanted_ = false;
  Kept main_, companion_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Phases>();
}

}  // namespace tilestep::features::phases
