// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/requests_table.h"

#include <array>
#include <string>

#include "base/figure.h"
#include "features/footprint/footprint.h"
#include "model/export/table_parts.h"

namespace tilestep::features {
namespace {

constexpr std::array<AccessKind, kAccessKinds> kKinds{AccessKind::load, AccessKind::store,
                                                      AccessKind::atomic};

/// "64 loads in 256 sectors, 4 a request, 100.0 % of the bytes are requested"
std::string summaryOf(AccessKind kind, const AccessCounts& counts) {
  return whole(counts.requests) + " " + nameOf(kind) + " in " + plural(counts.sectors, "sector") +
         ", " + number(counts.sectorsARequest()) + " a request, " +
         toText(counts.usefulShare(), Unit::ratio) + " of the bytes are requested";
}

std::string titleOf(const TracedKernel& kernel, const Footprint& footprint) {
  std::string text = "Requests of a block of " + kernel.shortName +
                     " to global memory, from the offsets in its trace";
  const CountsByKind counts = footprint.countsOf(footprint.requests.size());
  for (const AccessKind kind : kKinds) {
    const AccessCounts& one = counts[static_cast<size_t>(kind)];
    if (one.requests > 0) text += ". " + summaryOf(kind, one);
  }
  return text;
}

/// The element that a lane of the request accesses: the last lane if `last`, otherwise the first.
std::string elementOf(const TracedKernel& kernel, const GlobalRequest& request, bool last) {
  const trace::TraceEvent event = kernel.replay->recording().event(request.event);
  return globalName(kernel, request.buffer, last ? event.offsets.back() : event.offsets.front());
}

}  // namespace

Table requestsTable(const Snapshot& now, const TableOptions& options) {
  Table out;
  const auto& step = stepOf(now, options);
  if (!step) return out;
  const TracedKernel& kernel = *step->side;
  const Footprint footprint = footprintOf(kernel);
  out.title = titleOf(kernel, footprint);
  out.columns = {"step",      "warp",         "line",           "kind",           "first lane",
                 "last lane", "lanes",        "bytes asked",    "distinct bytes", "sectors",
                 "lines",     "useful share", "useful of lines"};
  for (const GlobalRequest& request : footprint.requests) {
    const AccessCounts& counts = request.counts;
    add(out,
        {whole(request.event + 1), whole(request.warp), request.line > 0 ? whole(request.line) : "",
         nameOf(request.kind), elementOf(kernel, request, false), elementOf(kernel, request, true),
         whole(request.lanes), whole(counts.askedBytes), whole(counts.distinctBytes),
         whole(counts.sectors), whole(counts.lines), number(counts.usefulShare()),
         number(counts.usefulShareOfLines())});
  }
  return out;
}

}  // namespace tilestep::features
