// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/what_if_json.h"

#include <nlohmann/json.hpp>

namespace tilestep::lab {
namespace {

using Json = nlohmann::ordered_json;

Json orNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json limitsJson(const metrics::Occupancy& occupancy) {
  Json limits = Json::array();
  for (const metrics::ResourceLimit& limit : occupancy.limits) {
    limits.push_back({{"resource", limit.name},
                      {"blocks", limit.blocks},
                      {"textbook_blocks", limit.textbookBlocks},
                      {"taken_per_block", limit.takenPerBlock},
                      {"asked_per_block", limit.askedPerBlock},
                      {"available", limit.available}});
  }
  return limits;
}

Json occupancyJson(const WhatIf& there) {
  if (!there.occupancy) return nullptr;
  const metrics::Occupancy& occupancy = *there.occupancy;
  return {{"ratio", occupancy.ratio()},     {"blocks", occupancy.blocks},
          {"warps", occupancy.warps},       {"warps_max", occupancy.warpsMax},
          {"limiters", occupancy.limiters}, {"textbook_blocks", occupancy.textbookBlocks},
          {"limits", limitsJson(occupancy)}};
}

}  // namespace

nlohmann::ordered_json whatIfJson(const WhatIf& there) {
  Json bounds = Json::array();
  for (const Bound& bound : there.bounds) {
    bounds.push_back({{"level", metrics::toText(bound.level)},
                      {"minimum", bound.minimum},
                      {"flop_per_byte", bound.flopPerByte},
                      {"flop_per_second", bound.flopPerSecond},
                      {"limited_by", bound.byMemory ? "DRAM" : "FP32"}});
  }
  const std::string refusal = there.refusal();
  const uint32_t registers = there.registers.count;
  return {{"device", there.id},
          {"name", there.name},
          {"compute_capability", there.computeCapability},
          {"origin", "computed"},
          {"refusal", refusal.empty() ? Json(nullptr) : Json(refusal)},
          {"fp32_flop_per_second", orNull(there.peakFlopPerSecond)},
          {"dram_bytes_per_second", orNull(there.dramBytesPerSecond)},
          {"ridge_flop_per_byte", orNull(there.ridgeFlopPerByte)},
          {"bounds", std::move(bounds)},
          {"registers", registers > 0 ? Json(registers) : Json(nullptr)},
          {"registers_from", toText(there.registers.from)},
          {"occupancy", occupancyJson(there)}};
}

}  // namespace tilestep::lab
