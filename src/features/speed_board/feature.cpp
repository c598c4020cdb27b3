// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/speed_board/board.h"
#include "model/export/table_parts.h"

namespace tilestep::features::speed_board {
namespace {

using namespace model;

Table speedTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out{"How fast the chosen launch ran.", {"what", "value", "from"}, {}, false};
  for (const SpeedFigure& figure : speedFiguresOf(now))
    add(out, {figure.name, number(figure.number), figure.from});
  return out;
}

class SpeedBoard : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return SpeedBoardView::kFeature; }
  [[nodiscard]] ViewPointer view(const Moment& moment) override { return speedBoardOf(moment); }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"speed", "speed", speedTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<SpeedBoard>();
}

}  // namespace tilestep::features::speed_board
