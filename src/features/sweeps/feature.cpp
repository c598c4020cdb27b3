// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/sweeps/sweep_table.h"
#include "model/snapshot.h"

namespace tilestep::features::sweeps {
namespace {

using namespace model;

class Sweeps : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "sweeps"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"sweep", "sweep",
             [](const Snapshot& now, const TableOptions&) { return sweepTable(now); }}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Sweeps>();
}

}  // namespace tilestep::features::sweeps
