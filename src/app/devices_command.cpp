// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/options.h"
#include "app/text_table.h"
#include "base/figure.h"

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
          {"blocks_per_multiprocessor", orNull(info.blocksPerMultiprocessor)}};
}

std::string tableOf(const worker::DevicesReply& reply) {
  TextTable table({"device", "name", "compute capability", "multiprocessors", "memory", "times"});
  for (const device::DeviceInfo& info : reply.devices) {
    table.add({info.id, info.name, info.computeCapability.value_or(""),
               info.multiprocessors ? std::to_string(info.multiprocessors) : "",
               toText(static_cast<double>(info.limits.memoryBytes), Unit::bytes),
               info.measures ? "measured" : "none"});
  }
  return table.text() + "compiler: " + reply.compiler + "\n";
}

int list(const WorkerOptions& options, bool asJson) {
  Result<std::unique_ptr<worker::Client>> client = startWorker(options);
  if (!client) return fail(client.error());
  const Result<worker::DevicesReply> reply =
      bodyOf<worker::DevicesReply>(await(**client, (*client)->devices()));
  if (!reply) return fail(reply.error());
  Json json = {{"schema", 1}, {"devices", Json::array()}, {"compiler", reply->compiler}};
  for (const device::DeviceInfo& info : reply->devices) json["devices"].push_back(deviceJson(info));
  return print(
      asJson ? json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n" : tableOf(*reply),
      kDone);
}

}  // namespace

Action addDevicesCommand(CLI::App& root) {
  CLI::App& command = *root.add_subcommand("devices", "Lists what kernels can run on");
  auto json = std::make_shared<bool>(false);
  auto worker = std::make_shared<WorkerOptions>();
  command.add_flag("--json", *json, "Print JSON");
  addWorkerOptions(command, *worker);
  command.footer("Example: tilestep devices --worker \"ssh gpu-host tilestep worker\"");
  return [json, worker] { return list(*worker, *json); };
}

}  // namespace tilestep::app
