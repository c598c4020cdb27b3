// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <utility>

#include "features/labs/view.h"
#include "features/lessons/view.h"
#include "features/speed_board/board.h"
#include "model/export/table_parts.h"
#include "model/model.h"

namespace tilestep::features::speed_board {
namespace {

Table speedTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out{"How fast the chosen launch ran.", {"what", "value", "from"}, {}, false};
  for (const Ratio& figure : speedFiguresOf(now))
    add(out, {figure.name, number(figure.own), figure.hover});
  return out;
}

class SpeedBoard : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return SpeedBoardView::kFeature; }
  /// Updates the board when a lesson was opened or closed: the lesson's view is published together
  /// with the board's, so the board would use the previous lesson.
  void poll(Model& model) override {
    const std::string& lesson = model.shown->view<LessonsView>().file;
    if (std::exchange(lesson_, lesson) != lesson) model.changed = true;
  }
  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Snapshot& shown = *moment.model.shown;
    const auto& lessons = shown.view<LessonsView>();
    return speedBoardOf(moment, shown.view<LabsView>().about(lessons.file),
                        lessons.lesson.has_value());
  }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"speed", "speed", speedTable}};
  }

 private:
  std::string lesson_;  ///< The file of the lesson in the last poll.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<SpeedBoard>();
}

}  // namespace tilestep::features::speed_board
