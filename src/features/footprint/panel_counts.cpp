// SPDX-License-Identifier: Apache-2.0
// The counts up to the present step, one line for each kind of access.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/figure.h"
#include "features/footprint/panel.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

/// The profilers' names of a count; null if a profiler does not have it.
struct Metric {
  const char *nvprof = nullptr, *nsight = nullptr;
};

struct CountsColumn {
  const char *name, *meaning;
  std::array<Metric, kAccessKinds> metrics;  ///< By AccessKind.
  std::string (*text)(const AccessCounts& soFar, const AccessCounts& whole);
};

std::string oneDecimal(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

constexpr std::array<CountsColumn, 6> kCountsColumns{{
    {"requests",
     "Warp instructions that access global memory: up to this step, and in the whole block",
     {{{"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
       {"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
       {}}},
     [](const AccessCounts& soFar, const AccessCounts& whole) {
       return grouped(soFar.requests) + " of " + grouped(whole.requests);
     }},
    {"sectors",
     "Distinct sectors of 32 bytes per request, summed over requests, before any cache",
     {{{"gld_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
       {"gst_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
       {}}},
     [](const AccessCounts& soFar, const AccessCounts&) { return grouped(soFar.sectors); }},
    {"sectors a request",
     "Sectors / requests. 32 lanes with 4 bytes each need at least 4",
     {{{"gld_transactions_per_request",
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"},
       {"gst_transactions_per_request",
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"},
       {}}},
     [](const AccessCounts& soFar, const AccessCounts&) {
       return oneDecimal(soFar.sectorsARequest());
     }},
    {"useful share",
     "Distinct bytes that lanes request / (32 × sectors). nvprof and Nsight Compute instead "
     "divide all requested bytes, and count an element once for each lane that requests it",
     {{{"gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"},
       {"gst_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"},
       {}}},
     [](const AccessCounts& soFar, const AccessCounts&) {
       return toText(soFar.usefulShare(), Unit::ratio);
     }},
    {"lines a request",
     "Distinct lines of 128 bytes / requests. A line is four sectors",
     {},
     [](const AccessCounts& soFar, const AccessCounts&) {
       return oneDecimal(soFar.linesARequest());
     }},
    {"useful of lines",
     "Distinct bytes that lanes request / (128 × lines): the useful share on GPUs whose L1 was "
     "filled by whole lines",
     {{{"gld_efficiency there", nullptr}, {}, {}}},
     [](const AccessCounts& soFar, const AccessCounts&) {
       return toText(soFar.usefulShareOfLines(), Unit::ratio);
     }},
}};

/// The meaning of a column, and the profilers' names of the count for these kinds of access.
std::string hoverOf(const CountsColumn& column, const std::vector<AccessKind>& kinds,
                    const FootprintView& view) {
  std::string text = std::string(column.meaning) + ".";
  for (const AccessKind kind : kinds) {
    const Metric& metric = column.metrics[static_cast<size_t>(kind)];
    if (metric.nvprof == nullptr) continue;
    text += "\nOf " + std::string(nameOf(kind)) + ": nvprof's " + metric.nvprof;
    if (metric.nsight != nullptr) text += ", Nsight Compute's " + std::string(metric.nsight);
    text += ".";
  }
  return text + "\nCounted in the trace of " + view.block + " alone.";
}

/// The kinds of access that the block executes in any step.
std::vector<AccessKind> kindsOf(const FootprintView& view) {
  std::vector<AccessKind> kinds;
  for (size_t i = 0; i < kAccessKinds; ++i)
    if (view.footprint->whole[i].requests > 0) kinds.push_back(static_cast<AccessKind>(i));
  return kinds;
}

float smallWidth(const Context& context, const char* text) {
  return context.fonts.small->CalcTextSizeA(context.fonts.smallPixels, 1e9F, 0, text).x;
}
float strongWidth(const Context& context, const std::string& text) {
  return context.fonts.strong->CalcTextSizeA(context.fonts.textPixels, 1e9F, 0, text.c_str()).x;
}

/// The left edges of as many columns as fit, relative to the table. The first column contains the
/// kinds. Based on the whole block's counts, so that nothing moves while stepping.
std::vector<float> placesOf(const Context& context, const FootprintView& view, float width) {
  const float gap = 1.2F * context.em;
  std::vector<float> places{0};
  float at = 0;
  for (const AccessKind kind : kindsOf(view))
    at = std::max(at, ImGui::CalcTextSize(nameOf(kind)).x + gap);
  for (const CountsColumn& column : kCountsColumns) {
    float widest = smallWidth(context, column.name);
    for (const AccessCounts& whole : view.footprint->whole)
      widest = std::max(widest, strongWidth(context, column.text(whole, whole)));
    if (at + widest > width) break;
    places.push_back(at);
    at += widest + gap;
  }
  return places;
}

void drawKind(const Context& context, const FootprintView& view, AccessKind kind,
              const std::vector<float>& places) {
  const auto index = static_cast<size_t>(kind);
  const AccessCounts& soFar = view.soFar[index];
  const float left = ImGui::GetCursorPosX();
  muted(context, nameOf(kind));
  for (size_t i = 1; i < places.size(); ++i) {
    const bool known = soFar.requests > 0 || i == 1;
    ImGui::SameLine(left + places[i]);
    compat::pushFont(context.fonts.strong, context.fonts.textPixels);
    ImGui::TextUnformatted(
        known ? kCountsColumns[i - 1].text(soFar, view.footprint->whole[index]).c_str() : "–");
    ImGui::PopFont();
    tooltip(context, hoverOf(kCountsColumns[i - 1], {kind}, view));
  }
}

}  // namespace

void drawCounts(const Context& context, const FootprintView& view) {
  const float left = ImGui::GetCursorPosX();
  const std::vector<float> places = placesOf(context, view, ImGui::GetContentRegionAvail().x);
  const std::vector<AccessKind> kinds = kindsOf(view);
  hint(context, "so far");
  for (size_t i = 1; i < places.size(); ++i) {
    ImGui::SameLine(left + places[i]);
    compat::pushFont(context.fonts.small, context.fonts.smallPixels);
    muted(context, kCountsColumns[i - 1].name);
    ImGui::PopFont();
    tooltip(context, hoverOf(kCountsColumns[i - 1], kinds, view));
  }
  for (const AccessKind kind : kinds) drawKind(context, view, kind, places);
}

}  // namespace tilestep::features
