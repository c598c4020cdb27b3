// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>

#include "features/occupancy/occupancy_view.h"
#include "lab/figures.h"
#include "model/export/table_parts.h"
#include "model/model.h"

namespace tilestep::features::occupancy {
namespace {

Table occupancyTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  const auto* shown = now.views.get<OccupancyView>();
  if (shown == nullptr) return out;
  const OccupancyView& view = *shown;
  out.title = "Occupancy of blocks of " + view.block + " on " + view.device + ", computed" +
              (view.fromDataSheet ? " from published figures" : "") + ": " + number(view.ratio) +
              ". " + view.registersText + " " + view.why + ".";
  out.columns = {
      "what",          "of",    "blocks alone", "blocks without rounding", "taken a block",
      "asked a block", "share", "remark"};
  for (const OccupancyBar& bar : view.bars) {
    const bool known = bar.known;
    out.rows.push_back({"limit", bar.name, known ? whole(bar.blocks) : "",
                        known ? whole(bar.textbookBlocks) : "", known ? whole(bar.taken) : "",
                        known ? whole(bar.asked) : "", "",
                        !known       ? "unknown"
                        : bar.limits ? "limits"
                                     : bar.why});
  }
  out.rows.push_back({"occupancy", "resident warps", whole(view.blocks), "", "", "",
                      number(view.ratio), view.refusal});
  if (view.achieved)
    out.rows.push_back({"achieved", "resident warps", "", "", "", "",
                        number(view.achieved->achievedOccupancy), "measured"});
  for (const OccupancyCurve& curve : *view.curves)
    for (const OccupancyPoint& point : curve.points)
      out.rows.push_back({curve.steps ? "from" : "at", curve.axis + " " + number(point.x), "", "",
                          "", "", number(point.ratio), ""});
  return out;
}

std::string achievedHover(const TimelineFigures& figures) {
  std::array<char, 32> overhead{};
  std::snprintf(overhead.data(), overhead.size(), "%.2f", figures.overhead);
  return std::string(
             "Average share of a multiprocessor's warp slots that hold resident warps while "
             "it is active. It includes the launch's start, end and last wave.\nMeasured: "
             "every warp reads the GPU's clocks, in a run that takes ") +
         overhead.data() + " times the kernel's time.";
}

class Occupancy : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return OccupancyView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"occupancy", "occupancy", occupancyTable}};
  }

  bool apply(const Command& command, Model& model) override {
    static const auto table =
        CommandTable<Occupancy>().add("registers", &Occupancy::assumeRegisters);
    return table.apply(*this, model, command);
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Snapshot& shared = moment.shared;
    if (!shared.figuresMain || shared.figuresMain->plan.launches.empty()) return nullptr;
    const OccupancyInputs in = inputsOf(moment);
    if (in.multiprocessor.threads == 0) return nullptr;
    const bool same = of_ == shared.figuresMain && device_ == in.device && tunable_ == in.tunable &&
                      registers_ == in.assumedRegisters && fromDataSheet_ == in.fromDataSheet;
    // The measured occupancy belongs only to the device in use.
    const std::optional<TimelineFigures> achieved =
        in.fromDataSheet ? std::nullopt : shared.timelineFigures;
    if (same && view_->achieved == achieved) return view_;
    auto view = std::make_shared<OccupancyView>(same ? *view_ : occupancyViewOf(in));
    view->achieved = achieved;
    if (achieved) view->achievedHover = achievedHover(*achieved);
    of_ = shared.figuresMain;
    device_ = in.device;
    tunable_ = in.tunable;
    registers_ = in.assumedRegisters;
    fromDataSheet_ = in.fromDataSheet;
    return view_ = std::move(view);
  }

 private:
  /// Replaces the registers per thread from the machine code by an assumed count; 0 assumes none.
  void assumeRegisters(Model& model, uint32_t count) {
    model.change("registers",
                 [&](Choice& choice) { choice.assumedRegisters = std::min(count, 255U); });
  }

  [[nodiscard]] static OccupancyInputs inputsOf(const Moment& moment) {
    const Resolved& resolved = moment.resolved;
    OccupancyInputs in;
    in.result = moment.shared.figuresMain.get();
    in.tunable = moment.shared.lastTunable;
    in.assumedRegisters = resolved.choice.assumedRegisters;
    in.fromDataSheet = resolved.known != nullptr;
    const compile::CatalogueEntry* entry = resolved.find(in.result->kernel);
    if (entry != nullptr && entry->spec) in.spec = &*entry->spec;
    if (resolved.known != nullptr) {
      in.device = resolved.known->name;
      in.multiprocessor = resolved.known->multiprocessor;
    } else if (resolved.device != nullptr) {
      const auto multiprocessor = lab::multiprocessorOf(*resolved.device);
      if (!multiprocessor) return in;
      in.device = resolved.device->name;
      in.multiprocessor = *multiprocessor;
    }
    return in;
  }

  // The inputs from which the view was computed.
  std::shared_ptr<const lab::RunResult> of_;
  std::string device_, tunable_;
  uint32_t registers_ = 0;
  bool fromDataSheet_ = false;
  std::shared_ptr<const OccupancyView> view_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Occupancy>();
}

}  // namespace tilestep::features::occupancy
