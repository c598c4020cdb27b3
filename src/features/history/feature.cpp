// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/names.h"
#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features::history {
namespace {

Table historyTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out{"Over the last changes.",
            {"number", "what", "median ms", "p10 ms", "p90 ms", "GFLOP/s", "bytes asked",
             "sector bytes", "bytes are per", "device", "method"},
            {},
            false};
  for (const HistoryPoint& point : now.history)
    add(out, {whole(point.number), point.label, number(point.medianMs), number(point.p10Ms),
              number(point.p90Ms), number(point.gflops), number(point.askedBytes),
              number(point.sectorBytes), point.perFlop ? "FLOP" : "element", point.device,
              point.method});
  return out;
}

class History : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "history"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"history", "last changes", historyTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<History>();
}

}  // namespace tilestep::features::history
