// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/listings_json.h"
#include "app/options.h"
#include "app/what_if.h"
#include "base/figure.h"
#include "base/text_table.h"
#include "lab/ceiling_names.h"

namespace tilestep::app {
namespace {

std::string deviceTable(const worker::DevicesReply& reply) {
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

/// Measures the ceilings of every device that can measure. The first measurement takes one or two
/// seconds per device; its result is cached.
std::vector<DeviceCeilings> ceilingsOf(worker::Client& client,
                                       const std::vector<device::DeviceInfo>& devices) {
  std::vector<DeviceCeilings> all;
  for (const device::DeviceInfo& info : devices) {
    if (!info.measures || !info.recordedOn.empty()) continue;
    all.push_back({info.id, bodyOf<device::Ceilings>(await(client, client.ceilings(info.id)))});
  }
  return all;
}

std::string ceilingsText(const std::vector<DeviceCeilings>& all) {
  if (all.empty()) return "\nceilings: no device here measures times\n";
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

/// Does not start a worker.
int listKnown(bool asJson) {
  const Result<std::vector<lab::DeviceFile>> files = knownDevices({"all"});
  if (!files) return fail(files.error());
  return print(asJson ? knownJson(*files) : knownTable(*files), kDone);
}

int list(const WorkerOptions& options, bool asJson, bool withCeilings) {
  Result<std::unique_ptr<worker::Client>> client = startWorker(options);
  if (!client) return fail(client.error());
  const Result<worker::DevicesReply> reply =
      bodyOf<worker::DevicesReply>(await(**client, (*client)->devices()));
  if (!reply) return fail(reply.error());
  std::vector<DeviceCeilings> ceilings;
  if (withCeilings) ceilings = ceilingsOf(**client, reply->devices);
  if (asJson) return print(devicesJson(*reply, withCeilings ? &ceilings : nullptr), kDone);
  return print(deviceTable(*reply) + (withCeilings ? ceilingsText(ceilings) : ""), kDone);
}

}  // namespace

void addDevicesCommand(CommandLine& line) {
  auto json = std::make_shared<bool>(false);
  auto ceilings = std::make_shared<bool>(false);
  auto known = std::make_shared<bool>(false);
  auto worker = std::make_shared<WorkerOptions>();
  Command command = line.add("devices", "Lists the devices that kernels can run on", [=] {
    return *known ? listKnown(*json) : list(*worker, *json, *ceilings);
  });
  command.flag("--json", *json, "Print JSON");
  command.flag("--ceilings", *ceilings,
               "Also print each GPU's ceilings; they are measured once and cached");
  command.flag("--known", *known,
               "List instead the devices in assets/devices, which --what-if and the window accept");
  addWorkerOptions(command, *worker);
  command.footer("Example: tilestep devices --worker \"ssh gpu-host tilestep worker\"");
}

}  // namespace tilestep::app
