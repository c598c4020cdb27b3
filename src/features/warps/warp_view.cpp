// SPDX-License-Identifier: Apache-2.0
#include "features/warps/warp_view.h"

#include <algorithm>
#include <bit>

#include "base/figure.h"
#include "base/percent.h"
#include "model/choice/planning.h"
#include "model/text/step_text.h"

namespace tilestep::features {
namespace {

using trace::Operation;
using trace::Space;

bool isAccess(const trace::TraceEvent& event) {
  const bool reaches = event.space == Space::global || event.space == Space::shared;
  return reaches && event.mask != 0 && event.width != 0 && !event.offsets.empty() &&
         event.operation != Operation::accumulate;
}

std::string bufferName(const TracedKernel& side, const trace::TraceEvent& event) {
  const auto index = static_cast<size_t>(event.buffer);
  if (event.space == Space::shared) {
    const auto& arrays = side.replay->recording().sharedArrays;
    return event.buffer < 0 || index >= arrays.size() ? "shared" : arrays[index].name;
  }
  const auto& operands = side.result->plan.operands;
  return event.buffer < 0 || index >= operands.size() ? "global" : operands[index].spec.name;
}

std::string groupOf(const TracedKernel& side, const trace::TraceEvent& event) {
  return std::string(trace::toText(event.operation)) + " " + bufferName(side, event);
}

/// Offsets from the start of the block's shared memory, which determine the banks.
std::vector<uint32_t> windowOffsets(const TracedKernel& side, const trace::TraceEvent& event) {
  const auto& arrays = side.replay->recording().sharedArrays;
  const bool named = event.buffer >= 0 && static_cast<size_t>(event.buffer) < arrays.size();
  const uint32_t start = named ? arrays[static_cast<size_t>(event.buffer)].offset : 0;
  std::vector<uint32_t> offsets(event.offsets.begin(), event.offsets.end());
  for (uint32_t& offset : offsets) offset += start;
  return offsets;
}

bool isPadded(const TracedKernel& side) {
  const compile::Bindings& tunables = side.result->plan.tunables;
  const std::optional<PadSwitch> pad = padSwitchOf(side.spec, tunables);
  return pad && tunables.at(pad->tunable) == pad->with;
}

/// The wavefronts if rows were one element longer or, if they are padded, one element shorter.
std::optional<Padding> paddingOf(const TracedKernel& side, const trace::TraceEvent& event) {
  const auto& arrays = side.replay->recording().sharedArrays;
  if (event.buffer < 0 || static_cast<size_t>(event.buffer) >= arrays.size()) return {};
  const uint32_t row = arrays[static_cast<size_t>(event.buffer)].columns * event.width;
  if (row == 0) return {};
  const bool padded = isPadded(side);
  std::vector<uint32_t> offsets = windowOffsets(side, event);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const uint32_t by = event.offsets[i] / row * event.width;
    offsets[i] = padded ? offsets[i] - by : offsets[i] + by;
  }
  return Padding{metrics::bankUse(offsets, event.width).wavefronts, padded};
}

std::string globalVerdict(const WarpView& view) {
  const auto sectors = static_cast<uint32_t>(view.global.sectors.size());
  std::string text = plural(view.lanes.size(), "lane") + ", " + plural(sectors, "sector");
  if (sectors > view.idealSectors) {
    text += "; " + std::to_string(view.idealSectors) +
            " would suffice: " + wholePercent(view.global.usefulShare()) +
            " of the bytes moved are used.";
  } else {
    text += ", the fewest possible: " + std::to_string(view.global.distinctBytes) + " of the " +
            std::to_string(view.global.movedBytes()) + " bytes moved are used.";
  }
  if (view.global.distinctBytes < view.global.askedBytes)
    text += " Lanes that request the same element share it.";
  return text;
}

/// Measured for these kernels on an H200: padding makes them slower.
std::string costOfPadding(const TracedKernel& side) {
  return side.spec.name == "matmul_tiled" || side.spec.name == "rung03_tiled"
             ? ", and padding would be slower, because the assembler could no longer merge these "
               "loads into wide ones"
             : "";
}

std::string sharedVerdict(const WarpView& view, const std::string& costOfPadding) {
  const metrics::BankUse& use = view.shared;
  std::string text;
  if (use.conflicts > 0) {
    text = plural(use.wavefronts, "wavefront") +
           ", one after another: a bank delivers one word at a time" + ", and " +
           plural(use.wavefronts, "word") + " are in one bank.";
  } else {
    text = plural(use.wavefronts, "wavefront") +
           ", no conflict: " + plural(use.distinctWords, "word") + " in as many banks.";
    if (use.distinctWords > metrics::kBanks)
      text = plural(use.wavefronts, "wavefront") + " for " + plural(use.distinctWords, "word") +
             ", the fewest possible.";
  }
  const uint64_t words =
      std::max<uint64_t>(view.width / metrics::kBankBytes, 1) * view.lanes.size();
  if (use.distinctWords < words)
    text += " Lanes that access the same word share one access (broadcast).";
  if (!view.padding) return text;
  if (view.padding->without) {
    if (view.padding->wavefronts != use.wavefronts)
      text += " Without the column of padding, it would take " +
              plural(view.padding->wavefronts, "wavefront") + ".";
  } else if (view.padding->wavefronts < use.wavefronts) {
    text += " With one column of padding, it would take " +
            plural(view.padding->wavefronts, "wavefront") + ".";
  } else if (use.conflicts == 0) {
    text += " No padding is needed" + costOfPadding + ".";
  }
  return text;
}

struct Found {
  std::vector<std::string> groups;
  std::vector<std::vector<uint32_t>> events;  ///< By group.
};

Found accessesOf(const TracedStep& step) {
  Found found;
  const trace::BlockTrace& recording = step.side->replay->recording();
  const auto add = [&](uint32_t number) {
    const trace::TraceEvent event = recording.event(number);
    if (!isAccess(event)) return;
    const std::string group = groupOf(*step.side, event);
    const auto at = std::find(found.groups.begin(), found.groups.end(), group);
    const auto index = static_cast<size_t>(at - found.groups.begin());
    if (at == found.groups.end()) {
      found.groups.push_back(group);
      found.events.emplace_back();
    }
    found.events[index].push_back(number);
  };
  for (size_t i = step.first; i <= step.index; ++i)
    for (const trace::Replay::Piece& piece : step.side->replay->piecesOf(step.grain, i))
      add(piece.event);
  return found;
}

void addLanes(WarpView& view, const TracedKernel& side, const trace::TraceEvent& event) {
  size_t at = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if ((event.mask >> lane & 1) == 0) continue;
    const uint32_t offset = event.offsets[at++];
    view.lanes.push_back({lane, event.space == Space::shared
                                    ? slotName(side, event.buffer, offset, event.width)
                                    : elementName(side, event.buffer, offset)});
  }
}

void reportProblems(WarpView& view, const TracedKernel& side, const trace::TraceEvent& event) {
  if (event.space == Space::shared) {
    view.shared = metrics::bankUse(windowOffsets(side, event), event.width);
    view.padding = paddingOf(side, event);
    view.verdict = sharedVerdict(view, costOfPadding(side));
    return;
  }
  view.global = metrics::coalesce(event.offsets, event.width);
  view.idealSectors = static_cast<uint32_t>(
      (view.global.distinctBytes + metrics::kSectorBytes - 1) / metrics::kSectorBytes);
  view.verdict = globalVerdict(view);
}

}  // namespace

std::shared_ptr<const WarpView> warpViewOf(const TracedStep& step, const WarpChoice& choice) {
  Found found = accessesOf(step);
  if (found.groups.empty()) return nullptr;
  const auto chosen = std::find(found.groups.begin(), found.groups.end(), choice.group);
  auto view = std::make_shared<WarpView>();
  if (chosen != found.groups.end())
    view->group = static_cast<size_t>(chosen - found.groups.begin());
  const std::vector<uint32_t>& events = found.events[view->group];
  view->index = chosen != found.groups.end() ? std::min(choice.index, events.size() - 1) : 0;
  view->size = events.size();
  view->groups = std::move(found.groups);
  const trace::TraceEvent event = step.side->replay->recording().event(events[view->index]);
  view->warp = event.warp;
  view->line = event.line;
  view->width = event.width;
  view->space = event.space;
  addLanes(*view, *step.side, event);
  reportProblems(*view, *step.side, event);
  return view;
}

}  // namespace tilestep::features
