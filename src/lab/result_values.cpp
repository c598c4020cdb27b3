// SPDX-License-Identifier: Apache-2.0
#include "lab/result_values.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/nearest_name.h"
#include "device/hardware_metrics.h"
#include "lab/ceiling_names.h"
#include "lab/result_json.h"

namespace tilestep::lab {
namespace {

using Json = nlohmann::ordered_json;

/// Placeholders in known paths for any list index, and for any size or tunable.
constexpr const char* kAnyEntry = "0";
constexpr const char* kAnyName = "NAME";

std::vector<std::string> partsOf(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool isIndex(const std::string& part) {
  return !part.empty() && part.size() <= 6 &&
         std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

Json ceilingsJson(const device::Ceilings& ceilings) {
  Json json = {{"origin", ceilings.origin}};
  for (const CeilingName& name : kCeilingNames) {
    const std::optional<double>& value = ceilings.*name.value;
    json[name.json] = value ? Json(*value) : Json(nullptr);
  }
  return json;
}

/// A result with every field that a run without a trace can have.
RunResult completeResult() {
  RunResult result;
  result.device.computeCapability = "9.0";
  result.device.recordedOn = result.device.driver = "known";
  result.plan.sizes = result.plan.tunables = {{kAnyName, 1}};
  result.plan.operations = 1;
  result.plan.launches.resize(1);
  result.registers = result.localBytes = 0;
  result.machine = device::MachineFacts{0, 0, 1, "threads"};
  result.check = Check{"float64", 0, 0, 0, true, 0, WrongElement{}, 1, 1};
  result.plan.operands.resize(1);
  result.plan.operands[0].spec.name = "known";
  result.measurement = device::Measurement{};
  result.measurement->medianMs = 1;
  result.measurement->clockMhz = 1;
  result.measurement->powerWatts = result.measurement->coldMedianMs = 1;
  trace::Counters counters;
  for (const trace::CounterField& field : trace::counterFields()) field.set(counters, 0);
  result.counters.emplace();
  result.counters->total = counters;
  result.counters->epochs = {counters};
  result.countingOverhead = 1;
  result.hardware.emplace();
  for (const device::MetricChoice& choice : device::metricChoices())
    result.hardware->figures.push_back({choice.name, choice.metrics.front(), choice.unit, 0});
  trace::Timeline& timeline = result.timeline.emplace();
  timeline.tickNs = timeline.multiprocessors = timeline.maxWarps = timeline.warpsPerBlock = 1;
  timeline.clockMhz = 1;
  timeline.sm = {0};
  timeline.startNs = {0};
  timeline.endNs = timeline.busyWarpCycles = timeline.waitWarpCycles = timeline.activeCycles = {1};
  timeline.epochs = timeline.epochStep = 1;
  timeline.epochBusy = timeline.epochWait = {1};
  result.timings.resize(1);
  return result;
}

void addPaths(const Json& json, const std::string& prefix, std::vector<std::string>& paths) {
  const auto add = [&](const std::string& part, const Json& value) {
    addPaths(value, prefix.empty() ? part : prefix + "." + part, paths);
  };
  if (json.is_object()) {
    for (auto entry = json.begin(); entry != json.end(); ++entry) add(entry.key(), entry.value());
  } else if (json.is_array()) {
    if (!json.empty()) add(kAnyEntry, json.front());
  } else if (!json.is_null()) {
    paths.push_back(prefix);
  }
}

const std::vector<std::string>& knownPaths() {
  static const std::vector<std::string> paths = [] {
    Json json = resultJson(completeResult());
    device::Ceilings ceilings;
    for (const CeilingName& name : kCeilingNames) ceilings.*name.value = 1;
    json["ceilings"] = ceilingsJson(ceilings);
    std::vector<std::string> all;
    addPaths(json, "", all);
    return all;
  }();
  return paths;
}

/// The path with the index of list entries and the names of sizes and tunables replaced by
/// placeholders, as in knownPaths().
std::string pattern(const std::string& path) {
  std::vector<std::string> parts = partsOf(path);
  if (parts.size() == 2 && (parts[0] == "sizes" || parts[0] == "tunables")) parts[1] = kAnyName;
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : ".") + (isIndex(part) ? std::string(kAnyEntry) : part);
  return text;
}

Result<ResultValue> valueAt(const Json& json, const std::string& path) {
  const Json* at = &json;
  for (const std::string& part : partsOf(path)) {
    if (at->is_array() && isIndex(part)) {
      size_t index = 0;
      std::from_chars(part.data(), part.data() + part.size(), index);
      at = index < at->size() ? &(*at)[index] : nullptr;
    } else {
      const auto found = at->is_object() ? at->find(part) : at->end();
      at = at->is_object() && found != at->end() ? &*found : nullptr;
    }
    if (at == nullptr || at->is_null()) return workError("the run has no " + path);
  }
  if (at->is_number()) return ResultValue(at->get<double>());
  if (at->is_boolean()) return ResultValue(at->get<bool>() ? 1.0 : 0.0);
  if (at->is_string()) return ResultValue(at->get<std::string>());
  return workError(path + " is not a single value");
}

}  // namespace

Status checkValuePath(const std::string& path) {
  const std::vector<std::string>& known = knownPaths();
  if (std::ranges::find(known, pattern(path)) != known.end()) return {};
  return requestError("a run has no value " + path + "; the nearest is " +
                      nearestName(path, known));
}

std::vector<Result<ResultValue>> valuesOf(const RunResult& result, const device::Ceilings* ceilings,
                                          const std::vector<std::string>& paths) {
  Json json = resultJson(result);
  if (ceilings != nullptr) json["ceilings"] = ceilingsJson(*ceilings);
  std::vector<Result<ResultValue>> values;
  values.reserve(paths.size());
  for (const std::string& path : paths) {
    if (result.asyncCopies && path.starts_with("counters."))
      values.push_back(workError("the counters of this run exclude its asynchronous copies"));
    else
      values.push_back(valueAt(json, path));
  }
  return values;
}

}  // namespace tilestep::lab
