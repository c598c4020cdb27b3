// SPDX-License-Identifier: Apache-2.0
#include "features/pins/report.h"

#include <algorithm>
#include <array>

#include "base/base64.h"
#include "base/html_text.h"
#include "features/pins/runs_view.h"
#include "features/roofline/roofline_view.h"
#include "features/sweeps/view.h"
#include "model/export/table.h"

namespace tilestep::features {
namespace {

constexpr size_t kMostReportRows = 200;  ///< Per table. The CSV files have all rows.

std::string element(const char* name, const std::string& text) {
  return "<" + std::string(name) + ">" + escapedHtml(text) + "</" + name + ">\n";
}

std::string rowOf(const std::vector<std::string>& cells, const char* name) {
  std::string row = "<tr>";
  for (const std::string& cell : cells)
    row += "<" + std::string(name) + ">" + escapedHtml(cell) + "</" + name + ">";
  return row + "</tr>\n";
}

std::string htmlOf(const Table& out) {
  std::string table =
      element("p", out.title) + "<div class=\"wide\"><table>\n" + rowOf(out.columns, "th");
  size_t rows = 0;
  for (const auto& row : out.rows) {
    if (rows++ == kMostReportRows) break;
    table += rowOf(row, "td");
  }
  table += "</table></div>\n";
  if (out.rows.size() > kMostReportRows)
    table += element("p", "The first " + std::to_string(kMostReportRows) + " of " +
                              std::to_string(out.rows.size()) + " rows.");
  return table;
}

/// The present run as a pin, which provides its command line.
Pin presentOf(const Snapshot& now) {
  Pin pin;
  const lab::RunResult& result = *now.figuresMain;
  pin.kernel = result.kernel;
  pin.sizes = result.plan.sizes;
  pin.tunables = result.plan.tunables;
  pin.device = result.device.id;
  if (result.hardware && result.hardware->refused.empty()) pin.work.l2Bytes = 1;
  if (result.measurement && result.measurement->coldMedianMs)
    pin.time = PinnedTime{1, 1, 1, 1, 0, 1, result.measurement->coldMedianMs, {}};
  return pin;
}

std::string present(const Snapshot& now) {
  std::string text = element("h2", "What is shown");
  text += element("p", now.badge.text + ". " + now.sentence);
  if (!now.figuresMain) return text;
  const Pin pin = presentOf(now);
  text += element("p", shortNameOf(pin.kernel) + ": " + experimentText(pin) +
                           (now.figuresOfBlock ? " (only one block was run)" : "") + ", on " +
                           deviceText(now.figuresMain->device) + ". " +
                           now.view<RooflineView>().verdict);
  return text + element("pre", commandOf(pin));
}

std::string commands(const Snapshot& now) {
  if (!now.choice.pins || now.choice.pins->pins.empty()) return {};
  std::string lines;
  for (const Pin& pin : now.choice.pins->pins)
    lines += "# " + pin.name + ", " + originText(pin) + "\n" + commandOf(pin) + "\n";
  return element("h2", "Commands that repeat the pinned runs") + element("pre", lines);
}

constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72em;margin:2em auto;padding:0 1em;"
    "color:#1b1f27;background:#fff}img{max-width:100%;border:1px solid #ccd}"
    "table{border-collapse:collapse;font-size:13px}td,th{padding:.2em .6em;border-bottom:1px solid "
    "#dde;text-align:left;white-space:nowrap}pre{background:#f3f4f8;padding:.8em;overflow-x:auto}"
    ".wide{overflow-x:auto}h1{font-size:22px}h2{font-size:18px;margin-top:2em}";

}  // namespace

std::string reportHtml(const Snapshot& now, const std::vector<ReportPicture>& pictures,
                       const std::string& when) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<title>Tilestep report</title>\n<style>" +
      std::string(kStyle) + "</style></head><body>\n" + element("h1", "Tilestep report, " + when);
  page += present(now);
  for (const ReportPicture& picture : pictures)
    page += "<p><img alt=\"" + escapedHtml(picture.title) + "\" src=\"data:image/png;base64," +
            base64(picture.png) + "\"></p>\n";
  // The comparison comes first, then the figures with their origins.
  constexpr std::array<std::string_view, 6> kTables{"runs",    "roofline", "gains",
                                                    "traffic", "history",  "occupancy"};
  for (const std::string_view id : kTables) {
    const auto kind = std::ranges::find(now.tables, id, &TableKind::id);
    if (kind == now.tables.end()) continue;
    const Table table = kind->make(now, {.wholeGrid = true});
    if (!table.rows.empty()) page += element("h2", std::string(kind->name)) + htmlOf(table);
  }
  if (now.view<SweepsView>().ladder)
    page += element("h2", "the ladder") + htmlOf(tableOf("sweep", now));
  return page + commands(now) + "</body></html>\n";
}

}  // namespace tilestep::features
