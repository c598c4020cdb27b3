// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/pins/runs_view.h"
#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features::pins {
namespace {

using namespace model;

std::string listOf(const compile::Bindings& bindings) {
  std::string text;
  for (const auto& [name, value] : bindings)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

std::string bytes(std::optional<uint64_t> count) {
  return count && *count > 0 ? std::to_string(*count) : "";
}

const char* verdictText(const RunComparison& to) {
  if (!to.time) return "";
  switch (to.verdict) {
    case metrics::TimeVerdict::faster:
      return "faster";
    case metrics::TimeVerdict::slower:
      return "slower";
    case metrics::TimeVerdict::notTold:
      return "not told apart";
  }
  return "";
}

std::string percent(const std::optional<double>& share) {
  return share ? number(100 * *share) : "";
}

Table runsTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const PinsPointer& pins = now.choice.pins;
  const Pin* base = pins ? pins->baseOrFirst() : nullptr;
  if (base == nullptr) return out;
  out.title = "Pinned runs against " + base->name + ". " + significanceRule();
  out.columns = {"name",         "kernel",      "tunables",     "sizes",    "device",
                 "median ms",    "p10 ms",      "p90 ms",       "samples",  "cold median ms",
                 "GFLOP/s",      "bytes asked", "sector bytes", "L2 bytes", "DRAM bytes",
                 "shared bytes", "registers",   "occupancy",    "achieved", "time against base, %",
                 "verdict",      "asked, %",    "sectors, %",   "L2, %",    "DRAM, %",
                 "origin",       "pinned",      "command"};
  for (const Pin& pin : pins->pins) {
    const RunComparison to = compareRuns(pin, *base);
    const auto time = [&](double PinnedTime::*value) {
      return pin.time ? number((*pin.time).*value) : std::string();
    };
    add(out, {pin.name,
              pin.kernel,
              listOf(pin.tunables),
              listOf(pin.sizes),
              pin.deviceName,
              time(&PinnedTime::medianMs),
              time(&PinnedTime::p10Ms),
              time(&PinnedTime::p90Ms),
              pin.time ? whole(pin.time->repetitions) : "",
              pin.time ? number(pin.time->coldMedianMs) : "",
              number(pin.gflops()),
              bytes(pin.work.askedBytes),
              bytes(pin.work.sectorBytes),
              bytes(pin.work.l2Bytes),
              bytes(pin.work.dramBytes),
              bytes(pin.work.sharedBytes),
              pin.registers ? whole(*pin.registers) : "",
              number(pin.occupancy),
              number(pin.achieved),
              percent(to.time),
              verdictText(to),
              percent(to.asked),
              percent(to.sectors),
              percent(to.l2),
              percent(to.dram),
              originText(pin),
              pin.pinned,
              commandOf(pin)});
  }
  return out;
}

class PinnedRuns : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "pins"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"runs", "pinned runs", runsTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<PinnedRuns>();
}

}  // namespace tilestep::features::pins
