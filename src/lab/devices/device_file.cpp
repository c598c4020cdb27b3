// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/device_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/files.h"
#include "base/toml/parse_toml.h"

namespace tilestep::lab {
namespace {

namespace fs = std::filesystem;

/// The allowed values of a number. If `least` is 0, an integer may be 0, which means unknown.
struct Range {
  double least, most;
};

/// Reads keys of one table and keeps the first error.
class Keys {
 public:
  Keys(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

  std::string text(const char* key) {
    const toml::node* node = find(key);
    if (!node) return {};
    if (const auto value = node->value_exact<std::string>()) return *value;
    refuse(node, std::string(key) + " must be a string");
    return {};
  }
  std::vector<std::string> texts(const char* key) {
    const toml::node* node = find(key);
    if (!node) return {};
    std::vector<std::string> all;
    const toml::array* array = node->as_array();
    for (size_t i = 0; array && i < array->size(); ++i) {
      const auto value = (*array)[i].value_exact<std::string>();
      if (value && !value->empty()) all.push_back(*value);
    }
    if (array && all.size() == array->size()) return all;
    refuse(node, std::string(key) + " must be a list of strings");
    return {};
  }
  std::optional<double> number(const char* key, Range range) {
    const toml::node* node = find(key);
    if (!node) return std::nullopt;
    const auto value = node->value<double>();
    if (value && *value >= range.least && *value <= range.most) return value;
    refuse(node, outside(key, "a number", range));
    return std::nullopt;
  }
  template <class T>
  void integer(const char* key, Range range, T& out) {
    const toml::node* node = find(key);
    if (!node) return;
    const auto value = node->value_exact<int64_t>();
    if (value && static_cast<double>(*value) >= range.least &&
        static_cast<double>(*value) <= range.most) {
      out = static_cast<T>(*value);
    } else {
      refuse(node, outside(key, "a whole number", range));
    }
  }
  /// Rejects every key that was not read, because it is probably misspelt.
  void noOthers() {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::ranges::find(known_, name) == known_.end()) {
        refuse(&node, "unknown key '" + name + "'");
      }
    }
  }
  /// Gives the error the line of `key` if the table contains it.
  void refuse(const char* key, const std::string& message) { refuse(table_.get(key), message); }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  const toml::node* find(const char* key) {
    known_.emplace_back(key);
    return table_.get(key);
  }
  static std::string outside(const char* key, const char* what, Range range) {
    char text[160];
    std::snprintf(text, sizeof text, "%s must be %s from %g to %g", key, what, range.least,
                  range.most);
    return text;
  }
  void refuse(const toml::node* node, const std::string& message) {
    if (error_) return;
    error_ = requestError(message);
    const int line = node != nullptr ? static_cast<int>(node->source().begin.line) : 0;
    error_->where = TextLocation{file_, line, 0};
  }

  const toml::table& table_;
  std::string file_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

constexpr Range kBandwidth{1e9, 1e14}, kPeak{1e9, 1e16};

void readMultiprocessor(Keys& keys, metrics::Multiprocessor& sm) {
  keys.integer("registers_per_multiprocessor", {0, 1 << 20}, sm.registers);
  keys.integer("registers_per_block", {0, 1 << 20}, sm.registersPerBlock);
  keys.integer("shared_bytes_per_multiprocessor", {0, 1 << 22}, sm.sharedBytes);
  keys.integer("shared_bytes_reserved_per_block", {0, 1 << 16}, sm.sharedBytesReservedPerBlock);
  keys.integer("shared_bytes_per_block", {0, 1 << 22}, sm.sharedBytesPerBlock);
  keys.integer("threads_per_multiprocessor", {0, 1 << 14}, sm.threads);
  keys.integer("blocks_per_multiprocessor", {0, 1 << 10}, sm.blocks);
  keys.integer("threads_per_block", {0, 1 << 14}, sm.threadsPerBlock);
}

/// Rejects values that are impossible for a multiprocessor.
void checkMultiprocessor(Keys& keys, const metrics::Multiprocessor& sm) {
  if (sm.threads % 32 != 0) {
    keys.refuse("threads_per_multiprocessor",
                "threads_per_multiprocessor must be a multiple of 32, the warp size");
  }
  if (sm.threads > 0 && sm.threadsPerBlock > sm.threads) {
    keys.refuse("threads_per_block",
                "threads_per_block must be at most threads_per_multiprocessor, " +
                    std::to_string(sm.threads));
  }
  const uint64_t shared = uint64_t{sm.sharedBytesPerBlock} + sm.sharedBytesReservedPerBlock;
  if (sm.sharedBytes > 0 && shared > sm.sharedBytes) {
    keys.refuse("shared_bytes_per_block",
                "shared_bytes_per_block plus the reserved bytes must be at most "
                "shared_bytes_per_multiprocessor, " +
                    std::to_string(sm.sharedBytes));
  }
  if (sm.registers > 0 && sm.registersPerBlock > sm.registers) {
    keys.refuse("registers_per_block",
                "registers_per_block must be at most registers_per_multiprocessor, " +
                    std::to_string(sm.registers));
  }
}

/// Multiprocessors have had 8 to 192 cores, each with two operations per cycle.
void checkPeak(Keys& keys, const DeviceFile& file) {
  const double cycles = 2e6 * file.multiprocessors * file.clockMhz;
  if (!file.fp32FlopPerSecond || cycles <= 0) return;
  const double cores = *file.fp32FlopPerSecond / cycles;
  if (cores >= 4 && cores <= 512) return;
  char text[200];
  std::snprintf(text, sizeof text,
                "fp32_flop_per_second implies %.3g cores per multiprocessor at clock_mhz, with two "
                "operations per cycle each; 4 to 512 are possible",
                cores);
  keys.refuse("fp32_flop_per_second", text);
}

Result<DeviceFile> readTable(const toml::table& table, const std::string& path) {
  DeviceFile file;
  Keys keys(table, path);
  file.id = fs::path(path).stem().string();
  file.name = keys.text("name");
  file.computeCapability = keys.text("compute_capability");
  file.note = keys.text("note");
  file.sources = keys.texts("sources");
  file.dramBytesPerSecond = keys.number("dram_bytes_per_second", kBandwidth);
  file.fp32FlopPerSecond = keys.number("fp32_flop_per_second", kPeak);
  keys.integer("l2_bytes", {0, 1 << 30}, file.l2Bytes);
  keys.integer("multiprocessors", {0, 1 << 12}, file.multiprocessors);
  keys.integer("clock_mhz", {0, 20000}, file.clockMhz);
  metrics::Multiprocessor& sm = file.multiprocessor;
  readMultiprocessor(keys, sm);
  keys.noOthers();
  const auto capability = metrics::parseComputeCapability(file.computeCapability);
  if (file.name.empty()) keys.refuse("name", "a device needs a name");
  if (!capability || capability->major < 1 || capability->major > 99) {
    keys.refuse("compute_capability", "a device needs compute_capability, such as \"9.0\"");
  }
  checkMultiprocessor(keys, sm);
  checkPeak(keys, file);
  if (keys.error()) return *keys.error();
  sm.major = capability->major;
  sm.minor = capability->minor;
  return file;
}

}  // namespace

device::DeviceInfo DeviceFile::info() const {
  device::DeviceInfo info;
  info.id = id;
  info.name = name;
  info.computeCapability = computeCapability;
  if (multiprocessor.threadsPerBlock > 0)
    info.limits.threadsPerBlock = multiprocessor.threadsPerBlock;
  if (multiprocessor.sharedBytesPerBlock > 0)
    info.limits.sharedBytesPerBlockOptIn = multiprocessor.sharedBytesPerBlock;
  info.multiprocessors = multiprocessors;
  if (multiprocessors > 0) info.limits.multiprocessors = multiprocessors;
  info.registersPerMultiprocessor = multiprocessor.registers;
  info.sharedBytesPerMultiprocessor = multiprocessor.sharedBytes;
  info.sharedBytesReservedPerBlock = multiprocessor.sharedBytesReservedPerBlock;
  info.threadsPerMultiprocessor = multiprocessor.threads;
  info.blocksPerMultiprocessor = multiprocessor.blocks;
  info.clockMhz = clockMhz;
  info.l2Bytes = l2Bytes;
  return info;
}

device::Ceilings DeviceFile::ceilings() const {
  device::Ceilings ceilings;
  ceilings.device = name;
  ceilings.origin = "computed from published figures";
  ceilings.dramBytesPerSecond = dramBytesPerSecond;
  ceilings.fp32FlopPerSecond = fp32FlopPerSecond;
  ceilings.facts = info();
  return ceilings;
}

Result<DeviceFile> readDeviceFile(const std::string& path) {
  Result<std::string> text = readTextFile(path);
  if (!text) return text.error();
  const Result<toml::table> table = parseToml(*text, path);
  if (!table) return table.error();
  return readTable(*table, path);
}

std::vector<DeviceFile> readDeviceFiles(const std::string& folder, std::vector<Error>* errors) {
  std::vector<DeviceFile> files;
  for (const fs::path& path : filesIn(folder, ".toml")) {
    Result<DeviceFile> file = readDeviceFile(path.string());
    if (file) {
      files.push_back(std::move(file).value());
    } else if (errors) {
      errors->push_back(file.error());
    }
  }
  std::sort(files.begin(), files.end(),
            [](const DeviceFile& a, const DeviceFile& b) { return a.name < b.name; });
  return files;
}

}  // namespace tilestep::lab
