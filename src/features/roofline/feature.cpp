// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features::roofline {
namespace {

using namespace model;

Table rooflineTable(const Snapshot& now, const TableOptions& /*options*/) {
  const RooflineView& view = now.roofline;
  Table out{"Roofs of " + view.device + ", " + view.origin + "; points of " + view.of + ".",
            {"what", "level", "FLOP/byte", "FLOP/second", "bytes/second", "allowed FLOP/second",
             "origin", "in words"},
            {},
            false};
  if (view.peakFlopPerSecond)
    add(out, {"peak FP32", "", "", number(*view.peakFlopPerSecond), "", "", view.origin, ""});
  for (const Roof& roof : view.roofs)
    add(out, {"roof", metrics::toText(roof.level), number(roof.ridge), "",
              number(roof.bytesPerSecond), "", view.origin, "FLOP/byte: of its ridge"});
  for (const RoofPoint& at : view.points) {
    const auto& result = at.companion ? now.figuresCompanion : now.figuresMain;
    add(out, {result ? result->kernel : "", metrics::toText(at.point.level),
              number(at.point.intensity.value), number(at.flopPerSecond), "", number(at.attainable),
              at.bound ? "computed bound" : (at.flopPerSecond ? "measured" : "not measured"),
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

class Roofline : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "roofline"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"roofline", "roofline", rooflineTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Roofline>();
}

}  // namespace tilestep::features::roofline
