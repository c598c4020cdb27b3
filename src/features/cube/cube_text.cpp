// SPDX-License-Identifier: Apache-2.0
#include "features/cube/cube_text.h"

#include <cstdio>
#include <vector>

#include "base/figure.h"
#include "model/export/table_parts.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

/// "16 elements of M and 16 of N"; empty if nothing is loaded.
std::string loadedText(const ProductShape& shape, const LoadSums& loads) {
  if (loads.left > 0 && loads.right > 0)
    return plural(loads.left, "element") + " of " + shape.leftName + " and " +
           grouped(loads.right) + " of " + shape.rightName;
  if (loads.left > 0) return plural(loads.left, "element") + " of " + shape.leftName;
  if (loads.right > 0) return plural(loads.right, "element") + " of " + shape.rightName;
  return {};
}

/// "4 multiply-adds for each loaded element"; empty if nothing is loaded.
std::string servesText(const ProductShape& shape, uint64_t points, const LoadSums& loads) {
  const auto left = reuseOf(points, loads.left), right = reuseOf(points, loads.right);
  if (points == 0 || !left || !right) return {};
  const auto times = [](double reuse) {
    return reuseText(reuse) + (reuse == 1 ? " multiply-add" : " multiply-adds");
  };
  if (*left == *right) return times(*left) + " for each loaded element";
  return times(*left) + " for each loaded element of " + shape.leftName + " and " +
         reuseText(*right) + " for each of " + shape.rightName;
}

/// Describes a step that is a whole phase.
std::string phaseSentence(const CubeTrace& cube, const CubeStep& now, const CubePhase& phase) {
  const LoadSums loads{phase.leftLoads, phase.rightLoads};
  std::string text = plural(phase.points, "multiply-add");
  if (const std::string loaded = loadedText(cube.shape, loads); !loaded.empty())
    text += ", and the block loads " + loaded;
  const std::string serves = servesText(cube.shape, phase.points, loads);
  text += serves.empty() ? "." : ": " + serves + ".";
  if (now.slab) text = slabText(*now.slab) + ": " + text;
  if (phase.zeros > 0)
    text += " " + grouped(phase.zeros) +
            " more multiply-adds multiply by a zero that replaces an element past an edge.";
  return text;
}

/// Describes a step that is part of a phase: a load, an epoch or a single instruction.
std::string partSentence(const CubeTrace& cube, const CubeStep& now) {
  std::string text;
  if (const std::string loaded = loadedText(cube.shape, now.loadsNow); !loaded.empty())
    text = "loads " + loaded;
  if (now.now > 0) {
    text +=
        (text.empty() ? "" : " and ") + std::string("executes ") + plural(now.now, "multiply-add");
    if (now.nowSlab) text += ", " + slabText(*now.nowSlab);
  }
  return text;
}

}  // namespace

std::string slabText(const CubeSlab& slab) {
  const std::string text = "k = " + std::to_string(slab.first);
  return slab.first == slab.last ? text : text + "…" + std::to_string(slab.last);
}

std::string reuseText(std::optional<double> reuse) {
  if (!reuse) return "–";
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", *reuse);
  const auto rounded = static_cast<uint64_t>(*reuse);
  return static_cast<double>(rounded) == *reuse ? grouped(rounded) : text;
}

std::string cubeSentence(const CubeTrace& cube, const CubeStep& now, const TracedStep& step) {
  const trace::BlockTrace& recording = step.side->replay->recording();
  const std::string block = blockText(recording.block);
  if (step.grain == trace::StepGranularity::phase && now.phase) {
    const std::string phases = phasesText(step);
    return "Phase " + phases + ", " + phaseSentence(cube, now, cube.phases[*now.phase]);
  }
  const uint64_t stores = step.activity.outputStores.size();
  std::string text = partSentence(cube, now);
  if (stores > 0)
    text += (text.empty() ? "" : " and ") + std::string("stores ") + plural(stores, "element") +
            " of " + cube.shape.productName;
  const bool single = step.grain == trace::StepGranularity::event;
  const std::string who = single
                              ? "Warp " + std::to_string(recording.event(step.step.lastEvent).warp)
                              : "Block " + block.substr(block.find('('));
  if (text.empty()) return who + " does no multiply-add and no load of a matrix in this step.";
  return who + " " + text + ".";
}

Table cubeTable(const CubeTrace& cube, const TracedKernel& side) {
  const ProductShape& shape = cube.shape;
  Table table;
  table.title = "Multiply-adds of " + side.shortName + ", " + sizesText(side.result->plan.sizes) +
                ", " + blockText(side.replay->recording().block) + ", from its trace";
  table.columns = {"phase",
                   "k",
                   "multiply-adds",
                   "with a zero past an edge",
                   "not placed",
                   "loads of " + shape.leftName,
                   "loads of " + shape.rightName,
                   "multiply-adds for each load of " + shape.leftName,
                   "multiply-adds for each load of " + shape.rightName};
  const auto addRow = [&](std::string name, std::string k, const CubePhase& row) {
    add(table,
        {std::move(name), std::move(k), whole(row.points), whole(row.zeros), whole(row.unplaced),
         whole(row.leftLoads), whole(row.rightLoads), number(reuseOf(row.points, row.leftLoads)),
         number(reuseOf(row.points, row.rightLoads))});
  };
  for (const CubePhase& phase : cube.phases)
    addRow(phase.phase ? whole(*phase.phase) : "none",
           phase.points > 0 ? slabText({phase.kFirst, phase.kLast}).substr(4) : "", phase);
  addRow("all", "", cube.all);
  return table;
}

}  // namespace tilestep::features
