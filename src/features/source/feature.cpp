// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <algorithm>
#include <sstream>

#include "features/lessons/view.h"
#include "features/source/view.h"
#include "model/export/table_parts.h"
#include "model/model.h"
#include "model/text/covered_pieces.h"
#include "model/text/step_text.h"

namespace tilestep::features::source {
namespace {

constexpr const char* kCounted =
    "; counts are warp instructions of the traced block that access memory, add to a sum or wait";

std::string countText(const std::shared_ptr<const RunCounts>& counts,
                      std::map<uint32_t, uint64_t> RunCounts::*by, uint32_t what) {
  if (!counts) return {};
  const auto at = ((*counts).*by).find(what);
  return at == ((*counts).*by).end() ? "" : std::to_string(at->second);
}

Table sourceTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  if (!now.main) return out;
  const SourceView& view = now.view<SourceView>();
  out.title = now.main->side->result->source + kCounted;
  out.columns = {"line", "count in this step", "count in all steps", "text", "remark"};
  const auto& lesson = now.view<LessonsView>().lesson;
  const std::vector<std::string> hidden = lesson ? lesson->hidden() : std::vector<std::string>();
  std::istringstream text(now.main->side->sourceText);
  std::string line;
  for (uint32_t number = 1; std::getline(text, line); ++number) {
    std::string remark;
    if (now.notes)
      for (const LineNote& note : *now.notes)
        if (note.line == number) remark += (remark.empty() ? "" : "; ") + note.text;
    add(out, {std::to_string(number), countText(view.stepCounts, &RunCounts::byLine, number),
              countText(view.counts, &RunCounts::byLine, number), withoutCovered(line, hidden),
              std::move(remark)});
  }
  return out;
}

Table ptxTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const SourceView& view = now.view<SourceView>();
  if (!now.main || !view.ptx) return out;
  out.title = "PTX of " + now.main->side->result->source + kCounted;
  out.columns = {"line of the source", "count in this step", "count in all steps", "PTX"};
  for (const PtxView::Line& line : view.ptx->lines)
    add(out, {line.source > 0 ? std::to_string(line.source) : "",
              countText(view.stepCounts, &RunCounts::byInstruction, line.instruction),
              countText(view.counts, &RunCounts::byInstruction, line.instruction), line.text});
  return out;
}

/// Whether `matches` returns true for at least one event of step `place`.
template <class Matches>
bool anyEvent(const trace::Replay& replay, trace::StepGranularity grain, size_t place,
              Matches matches) {
  for (const trace::Replay::Piece& piece : replay.piecesOf(grain, place))
    if (matches(replay.recording().event(piece.event))) return true;
  return false;
}

class Source : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return SourceView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"source", "source", sourceTable}, {"ptx", "PTX", ptxTable}};
  }
  bool apply(const Command& command, Model& model) override {
    static const auto table = CommandTable<Source>()
                                  .add("line", &Source::goToLine)
                                  .add("instruction", &Source::goToInstruction)
                                  .add("ptx", &Source::lookAtPtx);
    return table.apply(*this, model, command);
  }

  /// Requests the PTX of the present scene once.
  void poll(Model& model) override {
    const std::string& scene = model.scene.mainKey;
    if (!looked_ || !model.sceneIsCurrent() || key_ == scene || asked_ == scene) return;
    asked_ = scene;
    failure_.clear();
    if (model.scene.experiment) model.jobs.askPtx(id(), asked_, *model.scene.experiment);
  }

  void accept(const Arrival& arrival, Model& model) override {
    if (const Error* error = std::get_if<Error>(&arrival.reply.body)) {
      failure_ = error->message;
      return model.say(
          {Notice::Kind::warning, "ptx", "The PTX cannot be shown: " + error->message, {}, {}});
    }
    const auto* text = std::get_if<std::string>(&arrival.reply.body);
    if (text == nullptr || arrival.key != asked_ || !model.scene.main) return;
    model.clearNotice("ptx");
    key_ = asked_;
    ptx_ = ptxViewOf(*text, model.scene.main->spec);
    if (!ptx_) failure_ = "it does not contain this kernel's entry";
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Snapshot& shared = moment.shared;
    if (countsOf_ != shared.mainKernel) {
      countsOf_ = shared.mainKernel;
      counts_ = countsOf_ ? std::make_shared<const RunCounts>(runCountsOf(*countsOf_)) : nullptr;
    }
    if (countedStep_ != shared.main) {
      countedStep_ = shared.main;
      stepCounts_ =
          shared.main ? std::make_shared<const RunCounts>(runCountsOf(*shared.main)) : nullptr;
    }
    auto view = std::make_shared<SourceView>();
    view->counts = counts_;
    view->stepCounts = stepCounts_;
    if (!looked_ || key_ != moment.model.scene.mainKey) return view;
    view->ptx = ptx_;
    view->ptxFailure = failure_;
    return view;
  }

 private:
  /// Goes to the next or previous step at this granularity that executed a line of the main
  /// kernel's source, wrapping around. Returns false if there is no such step.
  bool goToLine(Model& model, uint32_t line, bool forward) {
    const auto runs = [line](const TracedKernel& kernel, const trace::TraceEvent& event) {
      return kernel.lineOf(event) == line;
    };
    return line != 0 && goToNext(model, forward, runs);
  }

  /// Likewise for an instruction of the main kernel's PTX.
  bool goToInstruction(Model& model, uint32_t instruction, bool forward) {
    return goToNext(model, forward,
                    [instruction](const TracedKernel& /*kernel*/, const trace::TraceEvent& event) {
                      return event.instruction == instruction;
                    });
  }

  template <class Runs>
  bool goToNext(Model& model, bool forward, Runs runs) {
    const std::shared_ptr<const TracedKernel> kernel = model.scene.main;
    if (!kernel) return false;
    model.stepper.play(false, model.now);
    const bool moved = model.stepper.goToNext(forward, [&](size_t place) {
      return anyEvent(*kernel->replay, model.stepper.grain(), place,
                      [&](const trace::TraceEvent& event) { return runs(*kernel, event); });
    });
    model.changed |= moved;
    return moved;
  }

  void lookAtPtx(Model& model, bool looked) {
    if (std::exchange(looked_, looked) == looked) return;
    model.changed = true;
    if (!failure_.empty()) asked_.clear();  // Showing the PTX again retries the request.
  }

  bool looked_ = false;
  std::string asked_, key_;  ///< Keys of scenes.
  std::string failure_;      ///< The reason why the last request failed.
  std::shared_ptr<const PtxView> ptx_;
  std::shared_ptr<const TracedKernel> countsOf_;
  std::shared_ptr<const RunCounts> counts_;
  std::shared_ptr<const TracedStep> countedStep_;
  std::shared_ptr<const RunCounts> stepCounts_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Source>();
}

}  // namespace tilestep::features::source
