// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features::gains {
namespace {

using namespace model;

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

class WhatTilingChanges : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "gains"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"gains", "what tiling changes", gainsTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<WhatTilingChanges>();
}

}  // namespace tilestep::features::gains
