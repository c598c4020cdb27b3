// SPDX-License-Identifier: Apache-2.0
#include "lab/run/hazard_facts.h"

#include <string>

namespace tilestep::lab {
namespace {

/// "3" in one dimension, else "(3, 0)" or "(3, 0, 0)".
std::string indexText(const Dim3& index, const Dim3& shape) {
  if (shape.y == 1 && shape.z == 1) return std::to_string(index.x);
  std::string text = "(" + std::to_string(index.x) + ", " + std::to_string(index.y);
  if (shape.z > 1) text += ", " + std::to_string(index.z);
  return text + ")";
}

/// "thread 8", or "thread 8 of block 1" if the two are in different blocks.
std::string threadText(const device::AccessSite& site, const device::AccessSite& other,
                       const Launch& launch) {
  std::string text = "thread " + indexText(site.thread, launch.block);
  if (!(site.block == other.block)) text += " of block " + indexText(site.block, launch.grid);
  return text;
}

std::string atLine(uint32_t line) {
  return line == 0 ? "" : " at line " + std::to_string(line);
}

std::string factOf(const device::Hazard& hazard, const Launch& launch) {
  const std::string first = threadText(hazard.first, hazard.second, launch);
  std::string second = threadText(hazard.second, hazard.first, launch);
  second[0] = 'T';
  const bool sameLine = hazard.first.line == hazard.second.line;
  const std::string reads = hazard.kind == "read-after-write" ? " reads " : " writes ";
  const std::string read = hazard.kind == "write-after-read" ? " reads it" : " writes it";
  return second + reads + hazard.place + (sameLine ? "" : atLine(hazard.second.line)) + ", " +
         first + read + (sameLine && hazard.first.line > 0 ? ", both" : "") +
         atLine(hazard.first.line) + ", and nothing orders the two.";
}

}  // namespace

void leaveOutAdvice(const compile::Plan& plan, std::vector<device::Hazard>& hazards) {
  for (device::Hazard& hazard : hazards) hazard.message = factOf(hazard, plan.launches.front());
}

}  // namespace tilestep::lab
