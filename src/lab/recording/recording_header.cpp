// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "lab/recording/recording_file.h"

namespace tilestep::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostText = 4096, kMostNames = 64, kMostKernels = 1024, kMostMachines = 1024;
constexpr size_t kMostColumns = 1024;
constexpr int kMostDepth = 6;

struct Fact {
  const char* name;
  uint32_t device::DeviceInfo::*value;
};
constexpr Fact kFacts[] = {
    {"multiprocessors", &device::DeviceInfo::multiprocessors},
    {"registers_per_multiprocessor", &device::DeviceInfo::registersPerMultiprocessor},
    {"shared_bytes_per_multiprocessor", &device::DeviceInfo::sharedBytesPerMultiprocessor},
    {"shared_bytes_reserved_per_block", &device::DeviceInfo::sharedBytesReservedPerBlock},
    {"threads_per_multiprocessor", &device::DeviceInfo::threadsPerMultiprocessor},
    {"blocks_per_multiprocessor", &device::DeviceInfo::blocksPerMultiprocessor},
    {"clock_mhz", &device::DeviceInfo::clockMhz},
};
struct Limit {
  const char* name;
  uint32_t Limits::*value;
};
constexpr Limit kLimits[] = {
    {"threads_per_block", &Limits::threadsPerBlock},
    {"shared_bytes_per_block", &Limits::sharedBytesPerBlock},
    {"shared_bytes_per_block_opt_in", &Limits::sharedBytesPerBlockOptIn},
};
struct Ceiling {
  const char* name;
  std::optional<double> device::Ceilings::*value;
};
constexpr Ceiling kCeilings[] = {
    {"dram_bytes_per_second", &device::Ceilings::dramBytesPerSecond},
    {"dram_copy_bytes_per_second", &device::Ceilings::dramCopyBytesPerSecond},
    {"l2_bytes_per_second", &device::Ceilings::l2BytesPerSecond},
    {"l1_bytes_per_second", &device::Ceilings::l1BytesPerSecond},
    {"shared_bytes_per_second", &device::Ceilings::sharedBytesPerSecond},
    {"fp32_flop_per_second", &device::Ceilings::fp32FlopPerSecond},
    {"launch_seconds", &device::Ceilings::launchSeconds},
    {"launch_and_wait_seconds", &device::Ceilings::launchAndWaitSeconds},
};

/// In the order of ColumnType.
constexpr std::array<std::string_view, 3> kTypes{"integer", "real", "text"};

Json triple(const Dim3& d) {
  return Json::array({d.x, d.y, d.z});
}

Json deviceJson(const device::DeviceInfo& info) {
  Json json = {{"name", info.name},
               {"compute_capability", info.computeCapability.value_or("")},
               {"driver", info.driver},
               {"memory_bytes", info.limits.memoryBytes},
               {"l2_bytes", info.l2Bytes},
               {"max_block", triple(info.limits.maxBlock)},
               {"max_grid", triple(info.limits.maxGrid)}};
  for (const Limit& limit : kLimits) json[limit.name] = info.limits.*limit.value;
  for (const Fact& fact : kFacts) json[fact.name] = info.*fact.value;
  return json;
}

Json ceilingsJson(const std::optional<device::Ceilings>& ceilings) {
  if (!ceilings) return nullptr;
  Json json = {{"origin", ceilings->origin}};
  for (const Ceiling& one : kCeilings) {
    const std::optional<double>& value = (*ceilings).*one.value;
    json[one.name] = value ? Json(*value) : Json(nullptr);
  }
  return json;
}

Json machinesJson(const std::vector<RecordedMachine>& machines) {
  Json json = Json::array();
  for (const RecordedMachine& machine : machines) {
    json.push_back({{"name", machine.name},
                    {"gpu", machine.identity.empty() ? Json(nullptr) : Json(machine.identity)},
                    {"driver", machine.driver},
                    {"began", machine.began},
                    {"ceilings", ceilingsJson(machine.ceilings)}});
  }
  return json;
}

Json kernelsJson(const std::vector<RecordedKernel>& kernels) {
  Json json = Json::array();
  for (const RecordedKernel& kernel : kernels) {
    json.push_back({{"name", kernel.name},
                    {"code", hex64(kernel.codeHash)},
                    {"sizes", kernel.sizes},
                    {"tunables", kernel.tunables}});
  }
  return json;
}

Json columnsJson(const std::vector<RecordingHeader::Column>& columns) {
  Json json = Json::array();
  for (const RecordingHeader::Column& column : columns) {
    json.push_back({{"name", column.name},
                    {"type", kTypes[static_cast<size_t>(column.type)]},
                    {"entries", column.entries},
                    {"bytes", column.bytes}});
  }
  return json;
}

/// Reads keys of a tree and keeps the first thing that is wrong.
class Keys {
 public:
  Keys(const Json& object, std::string path, std::optional<Error>& error)
      : object_(object), path_(std::move(path)), error_(error) {
    if (!object.is_object()) refuse(path_.empty() ? "text" : path_, "an object");
  }

  const Json* find(const char* name) {
    if (error_) return nullptr;
    const auto at = object_.find(name);
    if (at != object_.end()) return &*at;
    error_ = workError("the header lacks " + pathOf(name));
    return nullptr;
  }
  [[nodiscard]] bool has(const char* name) const {
    return !error_ && object_.is_object() && object_.contains(name);
  }
  std::string textOrNull(const char* name) {
    const Json* json = find(name);
    return json == nullptr || json->is_null() ? std::string() : textOf(*json, pathOf(name));
  }
  std::string text(const char* name) {
    const Json* json = find(name);
    return json == nullptr ? std::string() : textOf(*json, pathOf(name));
  }
  std::vector<std::string> texts(const char* name, size_t most) {
    std::vector<std::string> values;
    const Json* json = list(name, most);
    if (json == nullptr) return values;
    for (const Json& one : *json) values.push_back(textOf(one, pathOf(name)));
    return values;
  }
  uint64_t number(const char* name, uint64_t most) {
    const Json* json = find(name);
    return json == nullptr ? 0 : numberOf(*json, pathOf(name), most);
  }
  /// Above 0, or null.
  std::optional<double> figure(const char* name) {
    const Json* json = find(name);
    if (json == nullptr || json->is_null()) return std::nullopt;
    if (json->is_number() && std::isfinite(json->get<double>()) && json->get<double>() > 0)
      return json->get<double>();
    refuse(pathOf(name), "a number above 0 or null");
    return std::nullopt;
  }
  uint64_t hash(const char* name) {
    const std::string digits = text(name);
    uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value, 16);
    if (digits.size() != 16 || parsed.ec != std::errc{} || parsed.ptr != end)
      refuse(pathOf(name), "16 hexadecimal digits");
    return value;
  }
  Dim3 dim3(const char* name) {
    const Json* json = list(name, 3);
    if (json == nullptr) return {};
    if (json->size() != 3) refuse(pathOf(name), "three numbers");
    if (error_) return {};
    const auto side = [&](size_t i) {
      return static_cast<uint32_t>(numberOf((*json)[i], pathOf(name), UINT32_MAX));
    };
    return {side(0), side(1), side(2)};
  }
  const Json* list(const char* name, size_t most) {
    const Json* json = find(name);
    if (json == nullptr) return nullptr;
    if (json->is_array() && json->size() <= most) return json;
    refuse(pathOf(name), "a list of at most " + std::to_string(most));
    return nullptr;
  }
  void refuse(const std::string& path, const std::string& wanted) {
    if (!error_) error_ = workError("the header's " + path + " is not " + wanted);
  }
  [[nodiscard]] std::string pathOf(const char* name) const {
    return path_.empty() ? name : path_ + "." + name;
  }

 private:
  /// Short, and nothing that a terminal would act on.
  std::string textOf(const Json& json, const std::string& path) {
    const bool fits = json.is_string() && json.get_ref<const std::string&>().size() <= kMostText;
    const std::string text = fits ? json.get<std::string>() : std::string();
    const bool plain =
        std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (fits && plain) return text;
    refuse(path, "a text of at most 4096 bytes without control characters");
    return {};
  }
  uint64_t numberOf(const Json& json, const std::string& path, uint64_t most) {
    if (json.is_number_unsigned() && json.get<uint64_t>() <= most) return json.get<uint64_t>();
    refuse(path, "a whole number from 0 to " + std::to_string(most));
    return 0;
  }

  const Json& object_;
  std::string path_;
  std::optional<Error>& error_;
};

device::DeviceInfo readDevice(const Json& json, std::optional<Error>& error) {
  Keys keys(json, "device", error);
  device::DeviceInfo info;
  info.name = info.limits.device = keys.text("name");
  info.computeCapability = keys.text("compute_capability");
  info.driver = keys.text("driver");
  info.measures = true;
  info.limits.memoryBytes = keys.number("memory_bytes", uint64_t{1} << 50);
  info.l2Bytes = keys.number("l2_bytes", uint64_t{1} << 50);
  info.limits.maxBlock = keys.dim3("max_block");
  info.limits.maxGrid = keys.dim3("max_grid");
  for (const Limit& limit : kLimits)
    info.limits.*limit.value = static_cast<uint32_t>(keys.number(limit.name, UINT32_MAX));
  for (const Fact& fact : kFacts)
    info.*fact.value = static_cast<uint32_t>(keys.number(fact.name, UINT32_MAX));
  if (info.multiprocessors > 0) info.limits.multiprocessors = info.multiprocessors;
  if (info.name.empty()) keys.refuse("device.name", "a text that is not empty");
  return info;
}

std::optional<device::Ceilings> readCeilings(const Json& json, const std::string& path,
                                             const std::string& device,
                                             std::optional<Error>& error) {
  if (json.is_null()) return std::nullopt;
  Keys keys(json, path, error);
  device::Ceilings ceilings;
  ceilings.device = device;
  ceilings.origin = keys.text("origin");
  ceilings.measured = true;
  for (const Ceiling& one : kCeilings) ceilings.*one.value = keys.figure(one.name);
  return ceilings;
}

std::vector<RecordedKernel> readKernels(const Json& json, std::optional<Error>& error) {
  std::vector<RecordedKernel> kernels;
  for (const Json& one : json) {
    Keys keys(one, "kernels[" + std::to_string(kernels.size()) + "]", error);
    RecordedKernel kernel{keys.text("name"), keys.hash("code"), keys.texts("sizes", kMostNames),
                          keys.texts("tunables", kMostNames)};
    for (const RecordedKernel& before : kernels)
      if (before.name == kernel.name) keys.refuse(keys.pathOf("name"), "its own: there are two");
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::vector<RecordingHeader::Column> readColumns(const Json& json, std::optional<Error>& error) {
  std::vector<RecordingHeader::Column> columns;
  for (const Json& one : json) {
    Keys keys(one, "columns[" + std::to_string(columns.size()) + "]", error);
    RecordingHeader::Column column;
    column.name = keys.text("name");
    const auto type = std::ranges::find(kTypes, keys.text("type"));
    if (type == kTypes.end()) keys.refuse(keys.pathOf("type"), "integer, real or text");
    column.type = static_cast<ColumnType>(type == kTypes.end() ? 0 : type - kTypes.begin());
    column.entries = keys.number("entries", ColumnReader::kMostEntries);
    column.bytes = keys.number("bytes", kMostRecordingBytes);
    columns.push_back(std::move(column));
  }
  return columns;
}

/// "2026-11-21T12:30:00Z": the day alone is looked at, by who shows it.
void checkTime(Keys& keys, const std::string& name, const std::string& text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  bool fits = text.size() == kForm.size();
  for (size_t i = 0; fits && i < kForm.size(); ++i)
    fits = kForm[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == kForm[i];
  if (!fits) keys.refuse(name, "a time such as 2026-11-21T12:30:00Z");
}

std::vector<RecordedMachine> readMachines(const Json& json, std::optional<Error>& error) {
  std::vector<RecordedMachine> machines;
  for (const Json& one : json) {
    Keys keys(one, "machines[" + std::to_string(machines.size()) + "]", error);
    RecordedMachine machine;
    machine.name = keys.text("name");
    machine.identity = keys.textOrNull("gpu");
    machine.driver = keys.text("driver");
    machine.began = keys.text("began");
    checkTime(keys, keys.pathOf("began"), machine.began);
    if (const Json* ceilings = keys.find("ceilings"))
      machine.ceilings = readCeilings(*ceilings, keys.pathOf("ceilings"), machine.name, error);
    machines.push_back(std::move(machine));
  }
  return machines;
}

RecordingHeader readTree(const Json& json, std::optional<Error>& error) {
  RecordingHeader header;
  DeviceRecording& about = header.about;
  Keys keys(json, "", error);
  about.program = keys.text("program");
  about.method = keys.text("method");
  about.began = keys.text("began");
  about.ended = keys.text("ended");
  checkTime(keys, "began", about.began);
  checkTime(keys, "ended", about.ended);
  about.seed = keys.hash("seed");
  if (const Json* device = keys.find("device")) about.device = readDevice(*device, error);
  if (const Json* compiler = keys.find("compiler")) {
    Keys of(*compiler, "compiler", error);
    about.compiler.name = of.text("name");
    about.compiler.version = of.text("version");
    about.compiler.arch = of.text("arch");
  }
  if (const Json* ceilings = keys.find("ceilings"))
    about.ceilings = readCeilings(*ceilings, "ceilings", about.device.name, error);
  if (keys.has("machines")) {  // Older files do not name them.
    if (const Json* machines = keys.list("machines", kMostMachines))
      about.machines = readMachines(*machines, error);
  }
  if (const Json* kernels = keys.list("kernels", kMostKernels))
    about.kernels = readKernels(*kernels, error);
  header.points = keys.number("points", kMostRecordedPoints);
  if (const Json* columns = keys.list("columns", kMostColumns))
    header.columns = readColumns(*columns, error);
  if (!error) about.device.recordedOn = about.began.substr(0, 10);
  return header;
}

}  // namespace

std::string headerText(const RecordingHeader& header) {
  const DeviceRecording& about = header.about;
  const Json json = {{"program", about.program},
                     {"began", about.began},
                     {"ended", about.ended},
                     {"method", about.method},
                     {"device", deviceJson(about.device)},
                     {"compiler",
                      {{"name", about.compiler.name},
                       {"version", about.compiler.version},
                       {"arch", about.compiler.arch}}},
                     {"seed", hex64(about.seed)},
                     {"ceilings", ceilingsJson(about.ceilings)},
                     {"machines", machinesJson(about.machines)},
                     {"kernels", kernelsJson(about.kernels)},
                     {"points", header.points},
                     {"columns", columnsJson(header.columns)}};
  // One line a key, so that `head` shows what a recording is.
  std::string text = "{\n";
  for (auto entry = json.begin(); entry != json.end(); ++entry) {
    if (entry != json.begin()) text += ",\n";
    text += Json(entry.key()).dump() + ": " +
            entry.value().dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n}\n";
}

Result<RecordingHeader> parseHeader(std::string_view text) {
  bool deep = false;
  const auto shallow = [&deep](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > kMostDepth;
    return !deep;
  };
  const Json json = Json::parse(text, shallow, false);
  if (deep) return workError("the header nests deeper than " + std::to_string(kMostDepth));
  if (json.is_discarded()) return workError("the header is no JSON");
  std::optional<Error> error;
  RecordingHeader header = readTree(json, error);
  if (error) return *error;
  return header;
}

}  // namespace tilestep::lab
