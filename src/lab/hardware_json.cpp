// SPDX-License-Identifier: Apache-2.0
#include "lab/hardware_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/agreement.h"

namespace tilestep::lab {
namespace {

using Json = nlohmann::ordered_json;

/// Writes counts as integers, which a double represents exactly up to 2^53.
Json numberJson(double value, Unit unit) {
  const bool whole =
      unit != Unit::ratio && value >= 0 && value < 9e15 && value == std::floor(value);
  return whole ? Json(static_cast<uint64_t>(value)) : Json(value);
}

Json numberJson(const std::optional<double>& value, Unit unit) {
  return value ? numberJson(*value, unit) : Json(nullptr);
}

}  // namespace

Json hardwareJson(const device::HardwareCounters& hardware) {
  if (!hardware.refused.empty()) return {{"refused", hardware.refused}};
  Json json = {{"library", hardware.library},
               {"passes", hardware.passes},
               {"caches", hardware.caches == device::CacheState::cold ? "cold" : "warm"}};
  for (const device::HardwareFigure& figure : hardware.figures) {
    json[figure.name] = {{"value", numberJson(figure.value, figure.unit)},
                         {"metric", figure.metric}};
  }
  return json;
}

Json comparisonJson(const RunResult& result) {
  Json json = Json::array();
  for (const AgreementRow& row : compare(result)) {
    json.push_back({{"name", row.name},
                    {"predicted", numberJson(row.predicted, row.unit)},
                    {"counted", numberJson(row.counted, row.unit)},
                    {"hardware", numberJson(row.hardware, row.unit)},
                    {"relation", toText(row.relation)},
                    {"match", toText(row.match)},
                    {"prediction", row.prediction},
                    {"metric", row.metric},
                    {"note", row.note}});
  }
  return json;
}

}  // namespace tilestep::lab
