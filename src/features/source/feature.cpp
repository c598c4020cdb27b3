// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include <algorithm>
#include <sstream>

#include "model/export/table_parts.h"
#include "model/snapshot.h"
#include "model/text/step_text.h"

namespace tilestep::features::source {
namespace {

using namespace model;

Table sourceTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  if (!now.main) return out;
  out.title = now.main->side->result->source +
              "; counts: warp instructions of the traced block that touch memory, add to a sum or "
              "wait";
  out.columns = {"line", "count", "text", "remark"};
  std::istringstream text(now.main->side->sourceText);
  std::string line;
  for (uint32_t number = 1; std::getline(text, line); ++number) {
    std::string count, remark;
    if (now.counts)
      if (const auto at = now.counts->byLine.find(number); at != now.counts->byLine.end())
        count = std::to_string(at->second);
    if (now.notes)
      for (const LineNote& note : *now.notes)
        if (note.line == number) remark += (remark.empty() ? "" : "; ") + note.text;
    add(out, {std::to_string(number), std::move(count), line, std::move(remark)});
  }
  return out;
}

Table ptxTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  if (!now.main || !now.ptx) return out;
  out.title = "PTX of " + now.main->side->result->source +
              "; counts: warp instructions of the traced block that touch memory, add to a sum or "
              "wait";
  out.columns = {"line of the source", "count", "PTX", "in this step"};
  for (const PtxView::Line& line : now.ptx->lines) {
    std::string count;
    bool runs = false;
    if (line.instruction != PtxView::kNone) {
      if (now.counts)
        if (const auto at = now.counts->byInstruction.find(line.instruction);
            at != now.counts->byInstruction.end())
          count = std::to_string(at->second);
      runs = now.instructions && std::ranges::binary_search(*now.instructions, line.instruction);
    }
    add(out, {line.source > 0 ? std::to_string(line.source) : "", std::move(count), line.text,
              runs ? "yes" : ""});
  }
  return out;
}

class Source : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "source"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"source", "source", sourceTable}, {"ptx", "PTX", ptxTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Source>();
}

}  // namespace tilestep::features::source
