// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "model/export/table_parts.h"
#include "model/snapshot.h"
#include "model/text/step_text.h"

namespace tilestep::features::phases {
namespace {

using namespace model;

const TracedStep* stepOf(const Snapshot& now, bool companion) {
  return companion && now.companion ? now.companion.get() : now.main.get();
}

Table phasesTable(const Snapshot& now, const TableOptions& options) {
  Table out;
  const TracedStep* step = stepOf(now, options.companion);
  const bool main = step == now.main.get();
  const auto& work = main ? now.mainWork : now.companionWork;
  auto table = main ? now.mainTable : now.companionTable;
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
  [[nodiscard]] std::string_view id() const override { return "phases"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"phases", "execution phases", phasesTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Phases>();
}

}  // namespace tilestep::features::phases
