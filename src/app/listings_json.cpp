// SPDX-License-Identifier: Apache-2.0
#include "app/listings_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lab/ceiling_names.h"
#include "lab/figures.h"

namespace tilestep::app {
namespace {

using Json = nlohmann::ordered_json;

std::string documentOf(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json tunableJson(const compile::TunableSpec& tunable) {
  Json json = {{"name", tunable.name},       {"default", tunable.defaultValue},
               {"minimum", tunable.minimum}, {"maximum", tunable.maximum},
               {"step", tunable.step},       {"title", tunable.title}};
  if (!tunable.values.empty()) json["values"] = tunable.values;
  if (!tunable.names.empty()) json["names"] = tunable.names;
  return json;
}

Json entryJson(const compile::CatalogueEntry& entry) {
  Json json = {{"source", entry.source.path}};
  if (!entry.spec) {
    json["error"] = entry.error ? toString(*entry.error) : "";
    return json;
  }
  json["name"] = entry.spec->name;
  json["title"] = entry.spec->title;
  json["summary"] = entry.spec->summary;
  json["sizes"] = Json::object();
  for (const auto& [name, value] : lab::orderedSizes(entry.spec->sizes))
    json["sizes"][name] = value;
  json["tunables"] = Json::array();
  for (const auto& tunable : entry.spec->tunables) json["tunables"].push_back(tunableJson(tunable));
  json["error"] = nullptr;
  return json;
}

/// Null for 0, which means unknown.
Json orNull(uint64_t value) {
  return value ? Json(value) : Json(nullptr);
}

Json deviceJson(const device::DeviceInfo& info) {
  return {{"id", info.id},
          {"name", info.name},
          {"compute_capability",
           info.computeCapability ? Json(*info.computeCapability) : Json(nullptr)},
          {"measures", info.measures},
          {"multiprocessors", orNull(info.multiprocessors)},
          {"clock_mhz", orNull(info.clockMhz)},
          {"l2_bytes", orNull(info.l2Bytes)},
          {"threads_per_block", info.limits.threadsPerBlock},
          {"shared_bytes_per_block", info.limits.sharedBytesPerBlock},
          {"shared_bytes_per_block_opt_in", info.limits.sharedBytesPerBlockOptIn},
          {"memory_bytes", info.limits.memoryBytes},
          {"registers_per_multiprocessor", orNull(info.registersPerMultiprocessor)},
          {"shared_bytes_per_multiprocessor", orNull(info.sharedBytesPerMultiprocessor)},
          {"threads_per_multiprocessor", orNull(info.threadsPerMultiprocessor)},
          {"blocks_per_multiprocessor", orNull(info.blocksPerMultiprocessor)},
          {"place", info.place.empty() ? Json(nullptr) : Json(info.place)},
          {"driver", info.driver.empty() ? Json(nullptr) : Json(info.driver)},
          {"gpu", info.identity.empty() ? Json(nullptr) : Json(info.identity)},
          {"recorded_on", info.recordedOn.empty() ? Json(nullptr) : Json(info.recordedOn)}};
}

Json ceilingsJson(const std::vector<DeviceCeilings>& all) {
  Json json = Json::object();
  for (const DeviceCeilings& one : all) {
    if (!one.ceilings) {
      json[one.id] = {{"error", one.ceilings.error().message}};
      continue;
    }
    json[one.id] = {{"origin", one.ceilings->origin}};
    for (const lab::CeilingName& row : lab::kCeilingNames) {
      const std::optional<double>& value = (*one.ceilings).*row.value;
      json[one.id][row.json] = value ? Json(*value) : Json(nullptr);
    }
  }
  return json;
}

Json fileJson(const lab::DeviceFile& file) {
  const auto orNone = [](const std::optional<double>& v) { return v ? Json(*v) : Json(nullptr); };
  const metrics::Multiprocessor& sm = file.multiprocessor;
  return {{"id", file.id},
          {"name", file.name},
          {"compute_capability", file.computeCapability},
          {"multiprocessors", orNull(file.multiprocessors)},
          {"clock_mhz", orNull(file.clockMhz)},
          {"l2_bytes", orNull(file.l2Bytes)},
          {"dram_bytes_per_second", orNone(file.dramBytesPerSecond)},
          {"fp32_flop_per_second", orNone(file.fp32FlopPerSecond)},
          {"threads_per_block", orNull(sm.threadsPerBlock)},
          {"threads_per_multiprocessor", orNull(sm.threads)},
          {"blocks_per_multiprocessor", orNull(sm.blocks)},
          {"registers_per_multiprocessor", orNull(sm.registers)},
          {"shared_bytes_per_multiprocessor", orNull(sm.sharedBytes)},
          {"shared_bytes_per_block", orNull(sm.sharedBytesPerBlock)},
          {"shared_bytes_reserved_per_block", sm.sharedBytesReservedPerBlock},
          {"note", file.note},
          {"sources", file.sources}};
}

}  // namespace

std::string kernelsJson(const std::vector<compile::CatalogueEntry>& entries) {
  Json json = {{"schema", 1}, {"kernels", Json::array()}};
  for (const compile::CatalogueEntry& entry : entries) json["kernels"].push_back(entryJson(entry));
  return documentOf(json);
}

std::string devicesJson(const worker::DevicesReply& reply,
                        const std::vector<DeviceCeilings>* ceilings) {
  Json json = {{"schema", 1}, {"devices", Json::array()}, {"compiler", reply.compiler}};
  for (const device::DeviceInfo& info : reply.devices) json["devices"].push_back(deviceJson(info));
  if (ceilings) json["ceilings"] = ceilingsJson(*ceilings);
  return documentOf(json);
}

std::string labsJson(const std::vector<model::Lab>& labs) {
  Json json = Json::array();
  for (const model::Lab& lab : labs) {
    Json kernels = Json::array();
    for (const model::LabKernel& kernel : lab.kernels)
      if (std::find(kernels.begin(), kernels.end(), kernel.name) == kernels.end())
        kernels.push_back(kernel.name);
    json.push_back({{"id", lab.id},
                    {"title", lab.title},
                    {"question", lab.question},
                    {"kernels", kernels},
                    {"lesson", lab.lesson}});
  }
  return documentOf(json);
}

std::string knownJson(const std::vector<lab::DeviceFile>& files) {
  Json json = {{"schema", 1}, {"known", Json::array()}};
  for (const lab::DeviceFile& file : files) json["known"].push_back(fileJson(file));
  return documentOf(json);
}

}  // namespace tilestep::app
