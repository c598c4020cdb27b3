// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/options.h"
#include "app/what_if.h"
#include "base/figure.h"
#include "base/text_table.h"
#include "lab/ceiling_names.h"

namespace tilestep::app {
namespace {

using Json = nlohmann::ordered_json;

/// 0 stands for unknown.
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

std::string tableOf(const worker::DevicesReply& reply) {
  TextTable table({"device", "name", "compute capability", "multiprocessors", "memory", "times"});
  for (const device::DeviceInfo& info : reply.devices) {
    table.add({info.id, info.name, info.computeCapability.value_or(""),
               info.multiprocessors ? std::to_string(info.multiprocessors) : "",
               toText(static_cast<double>(info.limits.memoryBytes), Unit::bytes),
               !info.recordedOn.empty() ? "recorded " + info.recordedOn
               : info.measures          ? "measured"
                                        : "none"});
  }
  return table.text() + "compiler: " + reply.compiler + "\n";
}

struct DeviceCeilings {
  std::string id;
  Result<device::Ceilings> ceilings;
};

/// Of every device that measures; the first time takes a second or two for each.
std::vector<DeviceCeilings> ceilingsOf(worker::Client& client,
                                       const std::vector<device::DeviceInfo>& devices) {
  std::vector<DeviceCeilings> all;
  for (const device::DeviceInfo& info : devices) {
    if (!info.measures || !info.recordedOn.empty()) continue;
    all.push_back({info.id, bodyOf<device::Ceilings>(await(client, client.ceilings(info.id)))});
  }
  return all;
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

std::string ceilingsText(const std::vector<DeviceCeilings>& all) {
  if (all.empty()) return "\nceilings: no device here gives times\n";
  std::string text;
  for (const DeviceCeilings& one : all) {
    if (!one.ceilings) {
      text += "\n" + one.id + ": " + one.ceilings.error().message + "\n";
      continue;
    }
    TextTable table;
    for (const lab::CeilingName& row : lab::kCeilingNames) {
      const std::optional<double>& value = (*one.ceilings).*row.value;
      table.add({row.text, value ? toText(*value, row.unit) : "–"});
    }
    text += "\n" + one.id + ", ceilings, " + one.ceilings->origin + ", the best of a few runs\n" +
            table.text("  ");
  }
  return text;
}

Json knownJson(const lab::DeviceFile& file) {
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

/// Asks no worker.
int listKnown(bool asJson) {
  const Result<std::vector<lab::DeviceFile>> files = knownDevices({"all"});
  if (!files) return fail(files.error());
  if (!asJson) return print(knownTable(*files), kDone);
  Json json = {{"schema", 1}, {"known", Json::array()}};
  for (const lab::DeviceFile& file : *files) json["known"].push_back(knownJson(file));
  return print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n", kDone);
}

int list(const WorkerOptions& options, bool asJson, bool withCeilings) {
  Result<std::unique_ptr<worker::Client>> client = startWorker(options);
  if (!client) return fail(client.error());
  const Result<worker::DevicesReply> reply =
      bodyOf<worker::DevicesReply>(await(**client, (*client)->devices()));
  if (!reply) return fail(reply.error());
  Json json = {{"schema", 1}, {"devices", Json::array()}, {"compiler", reply->compiler}};
  for (const device::DeviceInfo& info : reply->devices) json["devices"].push_back(deviceJson(info));
  std::string text = tableOf(*reply);
  if (withCeilings) {
    const std::vector<DeviceCeilings> all = ceilingsOf(**client, reply->devices);
    json["ceilings"] = ceilingsJson(all);
    text += ceilingsText(all);
  }
  return print(asJson ? json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n" : text,
               kDone);
}

}  // namespace

void addDevicesCommand(CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  auto ceilings = std::make_shared<bool>(false);
  auto known = std::make_shared<bool>(false);
  auto worker = std::make_shared<WorkerOptions>();
  Command command = line.add("devices", "Lists what kernels can run on", [=] {
    return *known ? listKnown(*json) : list(*worker, *json, *ceilings);
  });
  command.flag("--json", *json, "Print JSON");
  command.flag("--ceilings", *ceilings,
               "Also what each GPU can do at most; measured once and kept");
  command.flag("--known", *known,
               "Those of assets/devices instead, which --what-if and the window know");
  addWorkerOptions(command, *worker);
  command.footer("Example: tilestep devices --worker \"ssh gpu-host tilestep worker\"");
}

}  // namespace tilestep::app
