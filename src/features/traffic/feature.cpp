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

Table gainsTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const Gains& gains = now.gains;
  if (!now.gainsKnown) return out;
  out.title =
      "What tiling changes, " + gains.of + ": " + gains.against + " ÷ " + gains.subject + ".";
  out.columns = {"what", "times less", "origin"};
  add(out, {"bytes that lanes ask to load", number(gains.lanes), "counted"});
  add(out, {"L1 sectors of loads", number(gains.sectors), "counted"});
  add(out, {"L2 reads, caches cold", number(gains.l2), gains.l2 ? "hardware counters" : "unknown"});
  std::string timed = gains.time ? "measured" : "unknown";
  if (!gains.timeNote.empty()) timed += ". " + gains.timeNote;
  add(out, {"time, caches warm", number(gains.time), std::move(timed)});
  return out;
}

class Traffic : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "traffic"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"traffic", "traffic", trafficTable}, {"gains", "what tiling changes", gainsTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Traffic>();
}

}  // namespace tilestep::features::traffic
