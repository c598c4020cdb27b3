// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/library_product.h"
#include "lab/devices/what_if_json.h"
#include "lab/figures.h"
#include "lab/hardware_json.h"
#include "lab/lab.h"
#include "lab/result_json.h"
#include "metrics/timeline.h"

namespace tilestep::lab {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json triple(const Dim3& value) {
  return Json::array({value.x, value.y, value.z});
}

Json bindingsJson(const std::vector<std::pair<std::string, int64_t>>& bindings) {
  Json json = Json::object();
  for (const auto& [name, value] : bindings) json[name] = value;
  return json;
}

/// Null for a library product, because the library chooses its own launches.
Json launchJson(const RunResult& result) {
  if (isLibraryProduct(result.kernel)) return nullptr;
  Json json = Json::object();
  if (!result.plan.launches.empty()) {
    json["entry"] = result.plan.launches.front().entry;
    json["grid"] = triple(result.plan.launches.front().grid);
    json["block"] = triple(result.plan.launches.front().block);
  }
  json["shared_bytes"] = result.sharedBytes;
  json["registers"] = orNull(result.registers);
  json["local_bytes"] = orNull(result.localBytes);
  if (result.plan.launches.size() > 1) {
    for (const Launch& launch : result.plan.launches) {
      json["launches"].push_back({{"entry", launch.entry},
                                  {"grid", triple(launch.grid)},
                                  {"block", triple(launch.block)}});
    }
  }
  if (result.machine) {
    json["spill_store_bytes"] = orNull(result.machine->spillStoreBytes);
    json["spill_load_bytes"] = orNull(result.machine->spillLoadBytes);
    json["blocks_per_multiprocessor"] = result.machine->activeBlocks;
    json["limiter"] = result.machine->limiter;
  }
  return json;
}

Json checkJson(const RunResult& result) {
  if (!result.check && result.checkNote.empty()) return nullptr;
  if (!result.check)
    return {{"reference", result.nothingToCompare ? Json("") : Json(nullptr)},
            {"scaled_error", nullptr},
            {"bound", nullptr},
            {"unwritten", result.nothingToCompare ? Json(0) : Json(nullptr)},
            {"ok", nullptr},
            {"non_finite", nullptr},
            {"reason", result.checkNote}};
  const Check& check = *result.check;
  Json json = {{"reference", check.reference.empty() ? Json(nullptr) : Json(check.reference)},
               {"scaled_error", check.scaledError},
               {"bound", check.bound},
               {"unwritten", check.unwritten},
               {"ok", check.ok},
               {"non_finite", check.nonFinite}};
  if (!check.firstWrong) return json;
  const WrongElement& first = *check.firstWrong;
  json["wrong"] = check.wrong;
  json["compared"] = check.compared;
  json["first_wrong"] = {{"operand", result.plan.operands[first.operand].spec.name},
                         {"index", first.element},
                         {"got", first.written ? Json(first.got) : Json(nullptr)},
                         {"expected", first.expected}};
  return json;
}

Json measurementJson(const RunResult& result) {
  if (!result.measurement) return nullptr;
  const device::Measurement& timing = *result.measurement;
  return {{"source", timing.recorded ? "recorded" : "live"},
          {"median_ms", timing.medianMs},
          {"min_ms", timing.minMs},
          {"p10_ms", timing.p10Ms},
          {"p90_ms", timing.p90Ms},
          {"repetitions", timing.repetitions},
          {"gflops", orNull(gflopsOf(result))},
          {"asked_bandwidth_gbs", orNull(askedBandwidthGbsOf(result))},
          {"clock_mhz", orNull(timing.clockMhz)},
          {"spread", timing.spread},
          {"rejected", timing.rejected},
          {"batch", timing.batch},
          {"power_watts", orNull(timing.powerWatts)},
          {"cold_median_ms", orNull(timing.coldMedianMs)},
          {"method", timing.method}};
}

Json countersJson(const trace::Counters& counters) {
  Json json = Json::object();
  for (const NamedCount& count : namedCounts(counters)) json[count.name] = count.value;
  return json;
}

Json gridCountersJson(const RunResult& result) {
  if (!result.counters) return nullptr;
  const trace::GridCounters& counters = *result.counters;
  Json json = {{"total", countersJson(counters.total)}, {"epochs", Json::array()}};
  for (const trace::Counters& epoch : counters.epochs) {
    json["epochs"].push_back(countersJson(epoch));
  }
  if (counters.epochsTruncated) json["epochs_truncated"] = true;
  if (!result.uncertain.empty()) {
    json["uncertain"] = uncertainNames(result.uncertain);
    for (const UncertainCounts& counts : result.uncertain)
      json["uncertain_because"].push_back(
          {{"line", counts.line}, {"counters", counts.counters}, {"message", whyText(counts)}});
  }
  if (result.countingOverhead) json["price"] = *result.countingOverhead;
  if (!result.countersFrom.empty()) json["from"] = result.countersFrom;
  return json;
}

Json nearestJson(const Nearest& nearest) {
  return {
      {"why", nearest.why},
      {"sizes", nearest.known ? bindingsJson(orderedSizes(nearest.sizes)) : Json()},
      {"tunables",
       nearest.known ? bindingsJson({nearest.tunables.begin(), nearest.tunables.end()}) : Json()}};
}

Json siteJson(const device::AccessSite& site) {
  return {{"line", site.line}, {"thread", triple(site.thread)}, {"block", triple(site.block)}};
}

Json assumedJson(const std::vector<compile::Assumption>& assumed) {
  Json json = Json::array();
  for (const compile::Assumption& one : assumed)
    json.push_back({{"what", one.what}, {"value", one.value}, {"line", one.line}});
  return json;
}

Json hazardsJson(const std::optional<std::vector<device::Hazard>>& hazards) {
  if (!hazards) return nullptr;
  Json json = Json::array();
  for (const device::Hazard& hazard : *hazards) {
    json.push_back({{"kind", hazard.kind},
                    {"space", hazard.space},
                    {"first", siteJson(hazard.first)},
                    {"second", siteJson(hazard.second)},
                    {"epoch", hazard.epoch},
                    {"count", hazard.count},
                    {"message", hazard.message}});
  }
  return json;
}

Json printedJson(const std::vector<device::Printed>& pieces) {
  Json json = Json::array();
  for (const device::Printed& printed : pieces) {
    json.push_back({{"block", triple(printed.at.block)},
                    {"thread", triple(printed.at.thread)},
                    {"line", printed.at.line},
                    {"text", printed.text}});
  }
  return json;
}

Json faultsJson(const std::vector<device::Fault>& faults) {
  Json json = Json::array();
  for (const device::Fault& fault : faults) {
    Json entry = {{"kind", fault.kind}};
    entry.update(siteJson(fault.at));
    entry["address"] = "0x" + hex64(fault.address);
    entry["count"] = fault.count;
    entry["message"] = fault.message;
    json.push_back(std::move(entry));
  }
  return json;
}

/// Raw values as unsigned integers of up to 8 bytes; a 16-byte access gives two, low first.
void appendValues(Json& values, const trace::TraceEvent& event) {
  for (size_t at = 0; at < event.values.size(); at += std::min<size_t>(event.width, 8)) {
    uint64_t raw = 0;
    std::memcpy(&raw, event.values.data() + at,
                std::min<size_t>({event.width, 8, event.values.size() - at}));
    values.push_back(raw);
  }
}

Json sharedArraysJson(const trace::BlockTrace& recording) {
  Json json = Json::array();
  for (const trace::SharedArray& array : recording.sharedArrays) {
    json.push_back({{"name", array.name},
                    {"offset", array.offset},
                    {"bytes", array.bytes},
                    {"columns", array.columns}});
  }
  return json;
}

Json traceColumns(const trace::BlockTrace& recording) {
  Json columns = Json::object();
  for (const char* name :
       {"epoch", "warp", "sequence", "instruction", "line", "operation", "space", "width", "buffer",
        "mask", "clock", "lane_start", "value_start", "offset", "value"}) {
    columns[name] = Json::array();
  }
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    columns["epoch"].push_back(event.epoch);
    columns["warp"].push_back(event.warp);
    columns["sequence"].push_back(event.sequence);
    columns["instruction"].push_back(event.instruction);
    columns["line"].push_back(event.line);
    columns["operation"].push_back(trace::toText(event.operation));
    columns["space"].push_back(trace::toText(event.space));
    columns["width"].push_back(event.width);
    columns["buffer"].push_back(event.buffer);
    columns["mask"].push_back(event.mask);
    columns["clock"].push_back(event.clock);
    columns["lane_start"].push_back(columns["offset"].size());
    columns["value_start"].push_back(columns["value"].size());
    for (const uint32_t offset : event.offsets) columns["offset"].push_back(offset);
    appendValues(columns["value"], event);
  }
  return columns;
}

Json traceJson(const RunResult& result) {
  const trace::BlockTrace& recording = *result.trace;
  return {{"from", result.traceFrom.empty() ? result.device.id : result.traceFrom},
          {"block", triple(recording.block)},
          {"block_shape", triple(recording.blockShape)},
          {"events", recording.size()},
          {"truncated", recording.truncated()},
          {"uneven", recording.uneven},
          {"accumulators", recording.accumulators},
          {"shared_arrays", sharedArraysJson(recording)},
          {"columns", traceColumns(recording)},
          {"price", orNull(result.traceOverhead)},
          {"note", result.traceNote.empty() ? Json() : Json(result.traceNote)}};
}

/// The mean cycles of a warp in each epoch, as columns.
Json epochsJson(const trace::Timeline& timeline) {
  if (timeline.rows() == 0) return nullptr;
  Json json = {{"blocks", timeline.rows()},
               {"block_step", timeline.epochStep},
               {"busy_cycles", Json::array()},
               {"wait_cycles", Json::array()}};
  for (const metrics::EpochCycles& epoch : metrics::epochCycles(timeline)) {
    json["busy_cycles"].push_back(epoch.busy);
    json["wait_cycles"].push_back(epoch.wait);
  }
  return json;
}

/// Entry i of each column is block i. Cycles are means over the block's warps.
Json timelineColumns(const trace::Timeline& timeline) {
  Json columns = {{"sm", timeline.sm}, {"start_ns", timeline.startNs}, {"end_ns", timeline.endNs}};
  const auto means = [&](const char* name, const std::vector<uint64_t>& warpCycles) {
    for (const uint64_t cycles : warpCycles) {
      columns[name].push_back(static_cast<double>(cycles) / timeline.warpsPerBlock);
    }
  };
  means("busy_cycles", timeline.busyWarpCycles);
  means("wait_cycles", timeline.waitWarpCycles);
  return columns;
}

Json cyclesOrNull(const std::vector<metrics::EpochCycles>& epochs, size_t position) {
  // Two epochs per phase are load and compute (docs/architecture/data-and-counts.md); other numbers
  // of epochs have no names.
  if (epochs.size() != 2) return nullptr;
  return {{"busy", epochs[position].busy}, {"wait", epochs[position].wait}};
}

Json timelineJson(const RunResult& result) {
  if (!result.timeline) return {{"absent", result.timelineNote}};
  const trace::Timeline& timeline = *result.timeline;
  const metrics::Waves waves = metrics::waves(timeline);
  const std::vector<metrics::EpochCycles> phase = metrics::phaseEpochCycles(timeline);
  return {{"tick_ns", timeline.tickNs},
          {"price", timeline.price},
          {"span_ns", metrics::spanNs(timeline)},
          {"clock_mhz", timeline.clockMhz > 0 ? Json(timeline.clockMhz) : Json(nullptr)},
          {"multiprocessors", timeline.multiprocessors},
          {"multiprocessors_used", waves.usedMultiprocessors},
          {"warps_per_block", timeline.warpsPerBlock},
          {"registers", timeline.registers},
          {"waves", waves.waves},
          {"blocks_together", waves.blocksTogether},
          {"last_wave_blocks", waves.lastWaveBlocks},
          {"tail", waves.tailShare},
          {"achieved_occupancy", metrics::achievedOccupancy(timeline)},
          {"barrier_wait_share", metrics::barrierWaitShare(timeline)},
          {"load_epoch_cycles", cyclesOrNull(phase, 0)},
          {"compute_epoch_cycles", cyclesOrNull(phase, 1)},
          {"epochs", epochsJson(timeline)},
          {"columns", timelineColumns(timeline)}};
}

Json timingsJson(const RunResult& result) {
  if (result.timings.empty()) return {{"absent", result.timingsNote}};
  Json json = Json::array();
  for (const device::NamedValue& value : result.timings) {
    json.push_back({{"id", value.id},
                    {"unit", value.unit},
                    {"count", value.count},
                    {"min", value.min},
                    {"p10", value.p10},
                    {"median", value.median},
                    {"p90", value.p90},
                    {"first", value.first},
                    {"method", value.method}});
  }
  return json;
}

/// The machine that measured a recorded point; null if unknown.
Json machineJson(const device::DeviceInfo& info) {
  if (info.machine == 0) return nullptr;
  return {{"number", info.machine},
          {"of", info.machines},
          {"gpu", info.identity.empty() ? Json(nullptr) : Json(info.identity)}};
}

}  // namespace

Json resultJson(const RunResult& result) {
  Json json = {{"schema", 1}, {"kernel", result.kernel}, {"source", result.source}};
  json["assumed"] = assumedJson(result.assumed);
  json["device"] = {{"id", result.device.id},
                    {"name", result.device.name},
                    {"compute_capability", orNull(result.device.computeCapability)}};
  json["compiler"] = {{"name", result.compiler.name},
                      {"version", result.compiler.version},
                      {"arch", result.compiler.arch},
                      {"ms", result.compiler.ms}};
  json["sizes"] = bindingsJson(orderedSizes(result.plan.sizes));
  json["tunables"] = bindingsJson({result.plan.tunables.begin(), result.plan.tunables.end()});
  json["launch"] = launchJson(result);
  json["check"] = checkJson(result);
  json["output_hash"] = result.outputHash == 0 ? Json() : Json(hex64(result.outputHash));
  json["measurement"] = measurementJson(result);
  json["counters"] = gridCountersJson(result);
  json["hazards"] = hazardsJson(result.hazards);
  json["faults"] = faultsJson(result.faults);
  if (result.trace) json["trace"] = traceJson(result);
  if (result.timeline || !result.timelineNote.empty()) json["timeline"] = timelineJson(result);
  if (!result.timings.empty() || !result.timingsNote.empty()) json["timings"] = timingsJson(result);
  if (result.hardware) json["hardware"] = hardwareJson(*result.hardware);
  if (result.hardware && result.counters) json["comparison"] = comparisonJson(result);
  if (!result.printed.empty()) json["output"] = printedJson(result.printed);
  if (!result.printedAll) json["output_truncated"] = true;
  if (!result.device.recordedOn.empty()) {
    json["device"]["driver"] = result.device.driver;
    json["device"]["recorded_on"] = result.device.recordedOn;
    json["device"]["machine"] = machineJson(result.device);
  }
  if (result.isLaunch) {
    json["operation"] = result.operation.empty() ? Json() : Json(result.operation);
    if (!result.question.empty()) json["question"] = result.question;
  }
  if (result.nearest) json["nearest"] = nearestJson(*result.nearest);
  return json;
}

std::string toJson(const RunResult& result) {
  return toJson(result, {});
}

std::string toJson(const RunResult& result, const std::vector<WhatIf>& whatIfs) {
  // Each key gets one line, so a trace of a million numbers stays on one line.
  std::string text = "{\n";
  Json json = resultJson(result);
  for (const WhatIf& there : whatIfs) json["what_if"].push_back(whatIfJson(there));
  for (auto entry = json.begin(); entry != json.end(); ++entry) {
    if (entry != json.begin()) text += ",\n";
    text += "  " + Json(entry.key()).dump() + ": " +
            entry.value().dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n}\n";
}

}  // namespace tilestep::lab
