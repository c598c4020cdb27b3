// SPDX-License-Identifier: Apache-2.0
#include "app/program_json.h"

#include <nlohmann/json.hpp>

#include "trace/counters.h"

namespace tilestep::app {
namespace {

using Json = nlohmann::ordered_json;

Json triple(const Dim3& value) {
  return Json::array({value.x, value.y, value.z});
}

Json faultJson(const simt::Fault& fault) {
  return {{"kind", fault.kind},           {"line", fault.line},   {"thread", triple(fault.thread)},
          {"block", triple(fault.block)}, {"count", fault.count}, {"message", fault.message}};
}

Json siteJson(const simt::HazardSite& site) {
  return {{"line", site.line}, {"thread", triple(site.thread)}, {"block", triple(site.block)}};
}

Json hazardJson(const simt::Hazard& hazard) {
  return {{"kind", hazard.kind},
          {"space", hazard.space},
          {"first", siteJson(hazard.first)},
          {"second", siteJson(hazard.second)},
          {"epoch", hazard.epoch},
          {"count", hazard.count},
          {"message", hazard.message}};
}

Json ordersJson(const lab::OrderSearch& orders) {
  Json json = {{"tried", orders.tried}};
  if (!orders.found) return json;
  json["order"] = orders.found->order;
  if (!orders.found->fault.empty()) {
    json["fault"] = orders.found->fault;
    return json;
  }
  json["element"] = orders.found->element;
  json["got"] = orders.found->got;
  json["expected"] = orders.found->expected;
  return json;
}

Json countersJson(const trace::Counters& counters) {
  Json json = Json::object();
  for (const auto& count : trace::namedCounts(counters))
    json[std::string(count.name)] = count.value;
  return json;
}

Json launchJson(const program::LaunchRecord& launch) {
  Json json = {{"kernel", launch.kernel},
               {"line", launch.place.line},
               {"grid", triple(launch.launch.grid)},
               {"block", triple(launch.launch.block)},
               {"shared_bytes", launch.launch.dynamicSharedBytes},
               {"stream", launch.stream},
               {"result", launch.result},
               {"hazards", Json::array()},
               {"faults", Json::array()}};
  if (launch.milliseconds) json["ms"] = *launch.milliseconds;
  if (!launch.notLooked.empty()) {
    json["hazards"] = json["faults"] = nullptr;
    json["not_looked_at"] = launch.notLooked;
  }
  for (const simt::Hazard& each : launch.hazards) json["hazards"].push_back(hazardJson(each));
  for (const simt::Fault& each : launch.faults) json["faults"].push_back(faultJson(each));
  if (launch.orders) json["orders"] = ordersJson(*launch.orders);
  json["operation"] = launch.operation ? Json(launch.operation->name) : Json();
  if (launch.isMeant) {
    const lab::Check check = lab::checkOf(*launch.operation);
    json["check"] = {{"reference", check.reference}, {"scaled_error", check.scaledError},
                     {"bound", check.bound},         {"ok", check.ok},
                     {"wrong", check.wrong},         {"compared", check.compared}};
  }
  if (launch.counters) {
    json["counters"] = {{"total", countersJson(launch.counters->total)}, {"epochs", Json::array()}};
    for (const trace::Counters& each : launch.counters->epochs)
      json["counters"]["epochs"].push_back(countersJson(each));
  }
  return json;
}

Json callJson(const program::CallRecord& call) {
  Json json = {{"name", call.name},           {"line", call.place.line}, {"bytes", call.bytes},
               {"direction", call.direction}, {"stream", call.stream},   {"result", call.result}};
  if (call.milliseconds) json["ms"] = *call.milliseconds;
  return json;
}

Json deviceJson(const program::ProgramRun& run) {
  if (run.gpu >= 0) return {{"id", "cuda:" + std::to_string(run.gpu)}, {"name", run.device}};
  return {{"id", "simt"}, {"name", "SIMT interpreter"}, {"as", run.device}};
}

}  // namespace

std::string programJson(const program::ProgramRun& run, const std::string& source) {
  Json json = {{"schema", 1},
               {"program",
                {{"source", source},
                 {"exit", run.exitStatus},
                 {"signal", run.signal == 0 ? Json(nullptr) : Json(run.signal)},
                 {"output", run.output},
                 {"output_truncated", run.outputTruncated}}},
               {"device", deviceJson(run)},
               {"calls", Json::array()},
               {"launches", Json::array()},
               {"findings", Json::array()}};
  if (run.timedOut) {
    const std::optional<double> estimate =
        run.unfinished ? run.unfinished->estimate() : std::nullopt;
    json["program"]["limit_s"] = run.limitSeconds;
    json["program"]["launch_estimate_s"] = estimate ? Json(*estimate) : Json(nullptr);
  }
  for (const auto& each : run.calls) json["calls"].push_back(callJson(each));
  for (const auto& each : run.launches) json["launches"].push_back(launchJson(each));
  for (const auto& each : run.findings) {
    json["findings"].push_back(
        {{"kind", each.kind},
         {"severity", each.severity == program::Severity::fault ? "fault" : "remark"},
         {"line", each.place.line},
         {"message", each.message}});
  }
  // A program's output may not be valid UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilestep::app
