// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features::traffic {
namespace {

using namespace model;

const char* unitText(Unit unit) {
  switch (unit) {
    case Unit::bytes:
      return "bytes";
    case Unit::seconds:
      return "seconds";
    case Unit::bytesPerSecond:
      return "bytes/second";
    case Unit::flop:
      return "FLOP";
    case Unit::flopPerSecond:
      return "FLOP/second";
    case Unit::flopPerByte:
      return "FLOP/byte";
    case Unit::hertz:
      return "hertz";
    case Unit::ratio:
      return "share";
    default:
      return "";
  }
}

Table trafficTable(const Snapshot& now, const TableOptions& options) {
  const TrafficTable& table = options.wholeGrid ? now.gridTraffic : now.phaseTraffic;
  const std::string main = now.main ? calledIn(*now.main->side) : "this kernel";
  const std::string other = now.companion ? calledIn(*now.companion->side) : "the one beside it";
  Table out{table.title, {"what", main, other, "unit"}, {}, false};
  for (const TrafficRow& row : table.rows)
    add(out, {row.name, number(row.main), number(row.companion), unitText(row.unit)});
  return out;
}

class Traffic : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "traffic"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"traffic", "traffic", trafficTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Traffic>();
}

}  // namespace tilestep::features::traffic
