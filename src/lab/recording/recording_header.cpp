// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "compile/nearest_name.h"
#include "device/ceiling_keys.h"
#include "lab/recording/recording_file.h"
#include "lab/run/device_check.h"

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

/// In the order of ColumnType.
constexpr std::array<const char*, 3> kTypes{"integer", "real", "text"};

/// The keys of one JSON object, which are written from values or read into them: what `describe`
/// says of a struct serves both. Of what is read, the first thing that is wrong is kept.
class Fields {
 public:
  /// Writes where `error` is null.
  Fields(Json& object, std::string path, std::optional<Error>* error)
      : object_(object), path_(std::move(path)), error_(error) {
    if (writes())
      object = Json::object();
    else if (!object.is_object())
      refuse(path_.empty() ? "text" : path_, "an object");
  }

  [[nodiscard]] bool writes() const { return error_ == nullptr; }
  [[nodiscard]] bool failed() const { return error_ != nullptr && error_->has_value(); }
  [[nodiscard]] bool has(const char* name) const {
    return writes() || (!failed() && object_.contains(name));
  }

  void text(const char* name, std::string& value) {
    if (Json* json = field(name, Json(value))) value = textOf(*json, name);
  }
  /// Null where it is empty.
  void textOrNull(const char* name, std::string& value) {
    Json* json = field(name, value.empty() ? Json(nullptr) : Json(value));
    if (json != nullptr && !json->is_null()) value = textOf(*json, name);
  }
  /// Identifiers: each point has a copy of each.
  void names(const char* name, std::vector<std::string>& values) {
    Json* json = field(name, Json(values));
    if (json == nullptr || !isList(*json, name, kMostNames)) return;
    for (const Json& one : *json) {
      values.push_back(textOf(one, name));
      if (!failed() && !compile::isIdentifier(values.back()))
        refuse(pathOf(name), "a list of names of at most 64 letters, digits and '_'");
    }
  }
  /// "2026-11-21T12:30:00Z": the day alone is looked at, by who shows it.
  void time(const char* name, std::string& value) {
    text(name, value);
    constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
    bool fits = value.size() == kForm.size();
    for (size_t i = 0; fits && i < kForm.size(); ++i)
      fits = kForm[i] == '0' ? value[i] >= '0' && value[i] <= '9' : value[i] == kForm[i];
    if (!fits) refuse(pathOf(name), "a time such as 2026-11-21T12:30:00Z");
  }
  template <std::unsigned_integral T>
  void number(const char* name, T& value, uint64_t most = std::numeric_limits<T>::max()) {
    if (Json* json = field(name, Json(value))) value = static_cast<T>(numberOf(*json, name, most));
  }
  void hash(const char* name, uint64_t& value) {
    std::string digits = hex64(value);
    text(name, digits);
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value, 16);
    if (digits.size() != 16 || parsed.ec != std::errc{} || parsed.ptr != end)
      refuse(pathOf(name), "16 hexadecimal digits");
  }
  void dim3(const char* name, Dim3& value) {
    Json* json = field(name, Json::array({value.x, value.y, value.z}));
    if (json == nullptr || !isList(*json, name, 3)) return;
    if (json->size() != 3) return refuse(pathOf(name), "three numbers");
    for (size_t i = 0; uint32_t * side : {&value.x, &value.y, &value.z})
      *side = static_cast<uint32_t>(numberOf((*json)[i++], name, UINT32_MAX));
  }
  /// Above 0, or null. Older recordings lack some figures: an absent one reads as null.
  void figure(const char* name, std::optional<double>& value) {
    if (!writes() && object_.is_object() && !object_.contains(name)) return;
    Json* json = field(name, value ? Json(*value) : Json(nullptr));
    if (json == nullptr || json->is_null()) return;
    if (json->is_number() && std::isfinite(json->get<double>()) && json->get<double>() > 0)
      value = json->get<double>();
    else
      refuse(pathOf(name), "a number above 0 or null");
  }
  /// One of `words`, in the order of the enumeration.
  template <class Enum, size_t N>
  void word(const char* name, Enum& value, const std::array<const char*, N>& words,
            const char* all) {
    std::string found = words[static_cast<size_t>(value)];
    text(name, found);
    const auto at = std::ranges::find(words, found);
    if (at == words.end()) return refuse(pathOf(name), all);
    value = static_cast<Enum>(at - words.begin());
  }
  template <class T>
  void object(const char* name, T& value) {
    Json* json = field(name, Json::object());
    if (json == nullptr && !writes()) return;
    Fields inner(json != nullptr ? *json : object_[name], pathOf(name), error_);
    describe(inner, value);
  }
  template <class T>
  void objectOrNull(const char* name, std::optional<T>& value) {
    Json* json = field(name, Json(nullptr));
    const bool isThere = writes() ? value.has_value() : json != nullptr && !json->is_null();
    if (isThere) object(name, value ? *value : value.emplace());
  }
  template <class T>
  void objects(const char* name, std::vector<T>& values, size_t most) {
    Json* json = field(name, Json::array());
    if (!writes() && (json == nullptr || !isList(*json, name, most))) return;
    Json& list = object_[name];
    const size_t count = writes() ? values.size() : list.size();
    for (size_t i = 0; i < count && !failed(); ++i) {
      if (writes()) list.push_back(nullptr);
      Fields inner(list[i], pathOf(name) + "[" + std::to_string(i) + "]", error_);
      describe(inner, i < values.size() ? values[i] : values.emplace_back());
    }
  }
  void refuse(const std::string& path, const std::string& wanted) {
    if (!writes() && !failed()) *error_ = workError("the header's " + path + " is not " + wanted);
  }

 private:
  /// Null where it is written, or missing, or where something was wrong before.
  Json* field(const char* name, Json written) {
    if (writes()) object_[name] = std::move(written);
    if (writes() || failed()) return nullptr;
    const auto at = object_.find(name);
    if (at != object_.end()) return &*at;
    *error_ = workError("the header lacks " + pathOf(name));
    return nullptr;
  }
  /// Short, and nothing that a terminal would act on.
  std::string textOf(const Json& json, const char* name) {
    const bool fits = json.is_string() && json.get_ref<const std::string&>().size() <= kMostText;
    const std::string text = fits ? json.get<std::string>() : std::string();
    const bool plain =
        std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (fits && plain) return text;
    refuse(pathOf(name), "a text of at most 4096 bytes without control characters");
    return {};
  }
  uint64_t numberOf(const Json& json, const char* name, uint64_t most) {
    if (json.is_number_unsigned() && json.get<uint64_t>() <= most) return json.get<uint64_t>();
    refuse(pathOf(name), "a whole number from 0 to " + std::to_string(most));
    return 0;
  }
  bool isList(const Json& json, const char* name, size_t most) {
    if (json.is_array() && json.size() <= most) return true;
    refuse(pathOf(name), "a list of at most " + std::to_string(most));
    return false;
  }
  [[nodiscard]] std::string pathOf(const char* name) const {
    return path_.empty() ? name : path_ + "." + name;
  }

  Json& object_;
  std::string path_;
  std::optional<Error>* error_;
};

void describe(Fields& io, device::DeviceInfo& info) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 50;
  std::string capability = info.computeCapability.value_or("");
  io.text("name", info.name);
  io.text("compute_capability", capability);
  io.text("driver", info.driver);
  io.number("memory_bytes", info.limits.memoryBytes, kMostBytes);
  io.number("l2_bytes", info.l2Bytes, kMostBytes);
  io.dim3("max_block", info.limits.maxBlock);
  io.dim3("max_grid", info.limits.maxGrid);
  for (const Limit& limit : kLimits) io.number(limit.name, info.limits.*limit.value);
  for (const Fact& fact : kFacts) io.number(fact.name, info.*fact.value);
  if (info.name.empty()) io.refuse("device.name", "a text that is not empty");
  info.computeCapability = capability;
}

void describe(Fields& io, device::Ceilings& ceilings) {
  io.text("origin", ceilings.origin);
  for (const device::CeilingKey& one : device::kCeilingKeys)
    io.figure(one.key, ceilings.*one.value);
}

void describe(Fields& io, CompilerInfo& compiler) {
  io.text("name", compiler.name);
  io.text("version", compiler.version);
  io.text("arch", compiler.arch);
}

void describe(Fields& io, RecordedMachine& machine) {
  io.text("name", machine.name);
  io.textOrNull("gpu", machine.identity);
  io.text("driver", machine.driver);
  io.time("began", machine.began);
  io.objectOrNull("ceilings", machine.ceilings);
}

void describe(Fields& io, RecordedKernel& kernel) {
  io.text("name", kernel.name);
  io.hash("code", kernel.codeHash);
  io.names("sizes", kernel.sizes);
  io.names("tunables", kernel.tunables);
}

void describe(Fields& io, RecordingHeader::Column& column) {
  io.text("name", column.name);
  io.word("type", column.type, kTypes, "integer, real or text");
  io.number("entries", column.entries, ColumnReader::kMostEntries);
  io.number("bytes", column.bytes, kMostRecordingBytes);
}

void describe(Fields& io, RecordingHeader& header) {
  DeviceRecording& about = header.about;
  io.text("program", about.program);
  io.time("began", about.began);
  io.time("ended", about.ended);
  io.text("method", about.method);
  io.object("device", about.device);
  io.object("compiler", about.compiler);
  io.hash("seed", about.seed);
  io.objectOrNull("ceilings", about.ceilings);
  if (io.has("machines")) io.objects("machines", about.machines, kMostMachines);  // Newer files.
  io.objects("kernels", about.kernels, kMostKernels);
  io.number("points", header.points, kMostRecordedPoints);
  io.objects("columns", header.columns, kMostColumns);
}

/// No two kernels may have one name: a point names its kernel.
Status checkNames(const std::vector<RecordedKernel>& kernels) {
  for (size_t i = 0; i < kernels.size(); ++i)
    for (size_t before = 0; before < i; ++before)
      if (kernels[before].name == kernels[i].name)
        return workError("the header's kernels[" + std::to_string(i) +
                         "].name is not its own: there are two");
  return {};
}

/// Figures that no device has would fill a window's pictures, or its memory.
Status checkFigures(const DeviceRecording& about) {
  const auto inHeader = [](const std::string& where, const Status& status) {
    return status ? status
                  : Status(workError("the header's " + where + ": " + status.error().message));
  };
  if (Status checked = inHeader("device", checkDevice(about.device)); !checked) return checked;
  if (about.ceilings)
    if (Status checked = inHeader("ceilings", checkCeilings(*about.ceilings)); !checked)
      return checked;
  for (size_t i = 0; i < about.machines.size(); ++i) {
    if (!about.machines[i].ceilings) continue;
    const std::string where = "machines[" + std::to_string(i) + "].ceilings";
    if (Status checked = inHeader(where, checkCeilings(*about.machines[i].ceilings)); !checked)
      return checked;
  }
  return {};
}

/// What the file does not say, but who reads it wants.
void complete(std::optional<device::Ceilings>& ceilings, const std::string& device) {
  if (!ceilings) return;
  ceilings->device = device;
  ceilings->measured = true;
}
void complete(DeviceRecording& about) {
  device::DeviceInfo& device = about.device;
  device.limits.device = device.name;
  device.measures = true;
  if (device.multiprocessors > 0) device.limits.multiprocessors = device.multiprocessors;
  device.recordedOn = about.began.substr(0, 10);
  complete(about.ceilings, device.name);
  for (RecordedMachine& machine : about.machines) complete(machine.ceilings, machine.name);
}

}  // namespace

std::string headerText(RecordingHeader header) {
  Json json;
  Fields fields(json, "", nullptr);
  describe(fields, header);
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
  Json json = Json::parse(text, shallow, false);
  if (deep) return workError("the header nests deeper than " + std::to_string(kMostDepth));
  if (json.is_discarded()) return workError("the header is not JSON");
  RecordingHeader header;
  std::optional<Error> error;
  Fields fields(json, "", &error);
  describe(fields, header);
  if (error) return *error;
  if (Status names = checkNames(header.about.kernels); !names) return names.error();
  if (Status figures = checkFigures(header.about); !figures) return figures.error();
  complete(header.about);
  return header;
}

}  // namespace tilestep::lab
