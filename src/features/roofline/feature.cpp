// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <algorithm>

#include "features/roofline/roofline_view.h"
#include "model/export/table_parts.h"
#include "model/model.h"

namespace tilestep::features::roofline {
namespace {

Table rooflineTable(const Snapshot& now, const TableOptions& /*options*/) {
  const RooflineView& view = now.view<RooflineView>();
  Table out{"Roofs of " + view.device + ", " + view.origin + "; points of " + view.of + ".",
            {"what", "level", "FLOP/byte", "FLOP/second", "bytes/second", "allowed FLOP/second",
             "origin", "in words"},
            {},
            false};
  if (view.peakFlopPerSecond)
    add(out, {"peak FP32", "", "", number(*view.peakFlopPerSecond), "", "", view.origin, ""});
  for (const Roof& roof : view.roofs)
    add(out, {"roof", metrics::toText(roof.level), number(roof.ridge), "",
              number(roof.bytesPerSecond), "", view.origin, "FLOP/byte is the ridge"});
  for (const RoofPoint& at : view.points) {
    const auto& result = at.companion ? now.figuresCompanion : now.figuresMain;
    add(out, {result ? result->kernel : "", metrics::toText(at.point.level),
              number(at.point.intensity.value), number(at.flopPerSecond), "", number(at.attainable),
              at.bound           ? "computed bound"
              : at.flopPerSecond ? "measured, caches " + at.caches
                                 : "not measured",
              at.words + (at.why.empty() ? "" : ". " + at.why)});
  }
  for (const ReferenceMark& mark : view.marks)
    add(out, {mark.name, "", "", number(mark.flopPerSecond), "", "", mark.origin, ""});
  const auto addTraces = [&](const std::vector<RoofTrace>& traces, const char* what) {
    for (const RoofTrace& at : traces)
      add(out, {at.name, metrics::toText(at.level), number(at.flopPerByte),
                number(at.flopPerSecond), "", "", at.bound ? "computed bound" : "measured", what});
  };
  addTraces(view.pinned, "pinned");
  addTraces(view.trail, "an earlier choice");
  return out;
}

/// For recorded points, uses the ceilings of the main point's machine if they are known.
void judgeByOwnMachine(RooflineInputs& roofs) {
  const bool recorded = roofs.main != nullptr && roofs.main->measurement &&
                        !roofs.main->device.recordedOn.empty() && !roofs.whatIf;
  if (!recorded) return;
  const bool together = roofs.companion == nullptr || !roofs.companion->measurement ||
                        roofs.companion->device.machine == roofs.main->device.machine;
  if (roofs.main->machineCeilings) roofs.ceilings = &*roofs.main->machineCeilings;
  roofs.otherMachine = !roofs.main->machineCeilings || !together;
}

class Roofline : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return RooflineView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"roofline", "roofline", rooflineTable}};
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    const Model& model = moment.model;
    const Snapshot& shared = moment.shared;
    const std::optional<device::Ceilings>& ceilings = model.figures.ceilings;
    // The counts of a single block do not apply to the whole launch.
    const bool whole = !shared.figuresOfBlock;
    RooflineInputs in;
    in.ceilings = ceilings ? &*ceilings : nullptr;
    // Find the data sheet of the device whose roofs were measured.
    std::optional<device::Ceilings> published;
    if (ceilings && ceilings->measured)
      if (const auto sheet =
              std::ranges::find(*model.known, ceilings->device, &lab::DeviceFile::name);
          sheet != model.known->end())
        published = sheet->ceilings();
    in.published = published ? &*published : nullptr;
    in.companion = whole ? shared.figuresCompanion.get() : nullptr;
    in.main = whole ? shared.figuresMain.get() : nullptr;
    in.whatIf = shared.measures && moment.resolved.known != nullptr;
    judgeByOwnMachine(in);
    in.former = model.figures.former;
    in.pins = model.choice.pins.get();
    in.marks = moment.marks;
    return std::make_shared<RooflineView>(rooflineOf(in));
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Roofline>();
}

}  // namespace tilestep::features::roofline
