// SPDX-License-Identifier: Apache-2.0
#include "features/occupancy/occupancy_view.h"

#include <algorithm>

#include "base/dim3.h"
#include "base/figure.h"
#include "features/occupancy/occupancy_slider.h"
#include "lab/figures.h"
#include "metrics/occupancy_curve.h"

namespace tilestep::features {
namespace {

using metrics::BlockNeeds;
using metrics::Multiprocessor;
using metrics::ResourceLimit;
using From = lab::Registers::From;

std::string shapeText(const Dim3& block) {
  std::string text = std::to_string(block.x) + " × " + std::to_string(block.y);
  return block.z > 1 ? text + " × " + std::to_string(block.z) : text;
}

std::string registersText(const lab::Registers& registers, const lab::RunResult& result,
                          const std::string& device) {
  const std::string count = std::to_string(registers.count);
  switch (registers.from) {
    case From::unknown:
      return "Registers are unknown and not counted as a limit.";
    case From::machineCode:
      return result.device.name == device
                 ? count + " registers per thread, from the machine code."
                 : count + " registers per thread, from the machine code for " +
                       result.device.name + "; the number may differ on this device.";
    case From::assumed:
      return count + " registers per thread, assumed" +
             (result.registers
                  ? "; the machine code uses " + std::to_string(*result.registers) + "."
                  : ".");
  }
  return {};
}

std::string barHover(const ResourceLimit& limit, const OccupancyInputs& in, const char* unit,
                     const std::string& why) {
  const std::string u = *unit != '\0' ? std::string(" ") + unit : "";
  const auto blocks = [](uint32_t count) {
    return grouped(count) + (count == 1 ? " block" : " blocks");
  };
  std::string text = limit.name + ": a multiprocessor of " + in.device + " has " +
                     grouped(limit.available) + u + ".\n";
  if (limit.name == "blocks")
    return text + "This is the most blocks it holds, regardless of their size.";
  text += "Textbook: " + grouped(limit.available) + " ÷ " + grouped(limit.askedPerBlock) + u +
          " per block = " + blocks(limit.textbookBlocks) + ".\nDevice: a block takes " +
          grouped(limit.takenPerBlock) + u + ": " + blocks(limit.blocks) + ".";
  if (!why.empty()) text += "\nThe difference: " + why + ".";
  return text + "\ncomputed for this resource alone";
}

OccupancyBar barOf(const ResourceLimit& limit, const OccupancyInputs& in, const BlockNeeds& needs,
                   const metrics::Occupancy& occupancy) {
  OccupancyBar bar;
  bar.name = limit.name;
  bar.unit = limit.name == "shared memory" ? "B" : "";
  bar.limits = std::ranges::find(occupancy.limiters, limit.name) != occupancy.limiters.end();
  bar.blocks = limit.blocks;
  bar.textbookBlocks = limit.textbookBlocks;
  bar.taken = limit.takenPerBlock;
  bar.asked = limit.askedPerBlock;
  bar.available = limit.available;
  bar.why = metrics::whyNotTextbook(in.multiprocessor, needs, limit);
  bar.hover = barHover(limit, in, bar.unit, bar.why);
  return bar;
}

std::vector<OccupancyBar> barsOf(const OccupancyInputs& in, const BlockNeeds& needs,
                                 const metrics::Occupancy& occupancy) {
  std::vector<OccupancyBar> bars;
  for (const ResourceLimit& limit : occupancy.limits) {
    bars.push_back(barOf(limit, in, needs, occupancy));
  }
  if (needs.registersPerThread > 0 || in.multiprocessor.registers == 0) return bars;
  OccupancyBar registers;
  registers.name = "registers";
  registers.known = false;
  registers.available = in.multiprocessor.registers;
  registers.hover =
      "The registers of a thread are known only from machine code, which needs a GPU. Enter a "
      "number to see its effect; it is then marked as assumed.";
  bars.insert(bars.begin() + std::min<ptrdiff_t>(1, std::ssize(bars)), std::move(registers));
  return bars;
}

OccupancyCurve curveOf(OccupancyCurve::Over over, const char* name, const char* axis,
                       const std::vector<metrics::CurvePoint>& points, uint32_t warpsMax) {
  OccupancyCurve curve;
  curve.over = over;
  curve.name = name;
  curve.axis = axis;
  for (const metrics::CurvePoint& point : points) {
    curve.points.push_back(
        {static_cast<double>(point.x), static_cast<double>(point.warps) / warpsMax, {}});
  }
  return curve;
}

std::vector<OccupancyCurve> curvesOf(const OccupancyInputs& in, const BlockNeeds& needs,
                                     uint32_t warpsMax) {
  using Over = OccupancyCurve::Over;
  const Multiprocessor& sm = in.multiprocessor;
  std::vector<OccupancyCurve> curves;
  curves.push_back(curveOf(Over::threads, "block size", "threads per block",
                           metrics::overThreads(sm, needs), warpsMax));
  curves.back().now = needs.threads;
  curves.back().note = "Registers per thread and shared memory per block as in the present launch.";
  if (sm.registers > 0) {
    curves.push_back(curveOf(Over::registers, "registers", "registers per thread",
                             metrics::overRegisters(sm, needs), warpsMax));
    if (needs.registersPerThread > 0) curves.back().now = needs.registersPerThread;
    curves.back().note =
        needs.registersPerThread > 0
            ? "Block and shared memory as in the present launch."
            : "Without machine code, this kernel's position on the curve is unknown.";
  }
  if (sm.sharedBytes > 0) {
    curves.push_back(curveOf(Over::sharedBytes, "shared memory", "bytes per block",
                             metrics::overSharedBytes(sm, needs), warpsMax));
    curves.back().now = needs.sharedBytes;
    curves.back().note = "Block and registers as in the present launch.";
  }
  return curves;
}

std::string overviewHover(const OccupancyInputs& in, const metrics::Occupancy& occupancy,
                          const lab::Registers& registers) {
  std::string text = std::to_string(occupancy.warps) + " of " + std::to_string(occupancy.warpsMax) +
                     " warps per multiprocessor. Blocks that fit, by resource:";
  for (const ResourceLimit& limit : occupancy.limits)
    text += "\n" + limit.name + ": " + std::to_string(limit.blocks);
  if (registers.from == From::machineCode)
    return text + "\ncomputed from the launch, the machine code's registers and " + in.device +
           "'s limits";
  if (registers.from == From::assumed)
    return text + "\ncomputed from the launch, an assumed number of registers and " + in.device +
           "'s limits";
  return text + "\ncomputed from the launch and " + in.device +
         "'s published limits; the registers of a thread are known only on a GPU";
}

std::string noteOf(const OccupancyInputs& in, const lab::Registers& registers) {
  if (registers.from == From::unknown)
    return in.device + ", by threads and shared memory; registers unknown";
  if (registers.from == From::assumed)
    return in.device + ", with " + std::to_string(registers.count) + " registers assumed";
  return in.fromDataSheet ? in.device + ", from published figures" : "";
}

}  // namespace

OccupancyView occupancyViewOf(const OccupancyInputs& in) {
  const lab::RunResult& result = *in.result;
  OccupancyView view;
  view.registers = lab::registersOf(result, in.assumedRegisters);
  const BlockNeeds needs = lab::needsOf(result.plan, result.sharedBytes, view.registers.count);
  const metrics::Occupancy occupancy = metrics::occupancy(in.multiprocessor, needs);
  view.ratio = occupancy.ratio();
  for (const std::string& limiter : occupancy.limiters)
    view.limiter += (view.limiter.empty() ? "" : ", ") + limiter;
  view.note = noteOf(in, view.registers);
  view.hover = overviewHover(in, occupancy, view.registers);
  view.device = in.device;
  view.fromDataSheet = in.fromDataSheet;
  view.block = shapeText(result.plan.launches.front().block);
  view.blocks = occupancy.blocks;
  view.warps = occupancy.warps;
  view.warpsMax = occupancy.warpsMax;
  view.refusal = occupancy.refusal;
  view.registersText = registersText(view.registers, result, in.device);
  view.why = metrics::whyNotMore(in.multiprocessor, needs, occupancy);
  view.bars = barsOf(in, needs, occupancy);
  std::vector<OccupancyCurve> curves = curvesOf(in, needs, std::max(occupancy.warpsMax, 1U));
  SliderView slider = sliderViewOf(in, needs, occupancy);
  view.steps = std::move(slider.steps);
  if (slider.curve) curves.insert(curves.begin(), std::move(*slider.curve));
  view.curves = std::make_shared<const std::vector<OccupancyCurve>>(std::move(curves));
  return view;
}

}  // namespace tilestep::features
