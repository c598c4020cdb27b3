// SPDX-License-Identifier: Apache-2.0
#include "lab/device_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/files.h"

namespace tilestep::lab {
namespace {

namespace fs = std::filesystem;

/// Reads keys of one table and keeps the first thing that is wrong.
class Keys {
 public:
  Keys(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

  std::string text(const char* key) {
    const toml::node* node = table_.get(key);
    if (!node) return {};
    if (const auto value = node->value_exact<std::string>()) return *value;
    refuse(*node, key, "a text");
    return {};
  }
  std::optional<double> number(const char* key) {
    const toml::node* node = table_.get(key);
    if (!node) return std::nullopt;
    const auto value = node->value<double>();
    if (value && *value > 0) return value;
    refuse(*node, key, "a number above 0");
    return std::nullopt;
  }
  template <class T>
  void integer(const char* key, T& out) {
    const toml::node* node = table_.get(key);
    if (!node) return;
    const auto value = node->value_exact<int64_t>();
    constexpr auto kMost = std::min<uint64_t>(std::numeric_limits<T>::max(), INT64_MAX);
    if (value && *value >= 0 && static_cast<uint64_t>(*value) <= kMost) {
      out = static_cast<T>(*value);
    } else {
      refuse(*node, key, "a whole number from 0 to " + std::to_string(kMost));
    }
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  void refuse(const toml::node& node, const char* key, const std::string& wanted) {
    if (error_) return;
    error_ = requestError(std::string(key) + " must be " + wanted);
    error_->where = TextLocation{file_, static_cast<int>(node.source().begin.line), 0};
  }

  const toml::table& table_;
  std::string file_;
  std::optional<Error> error_;
};

tilestep::Result<DeviceFile> readTable(const toml::table& table, const std::string& path) {
  DeviceFile file;
  Keys keys(table, path);
  file.id = fs::path(path).stem().string();
  file.name = keys.text("name");
  file.computeCapability = keys.text("compute_capability");
  file.note = keys.text("note");
  file.dramBytesPerSecond = keys.number("dram_bytes_per_second");
  file.fp32FlopPerSecond = keys.number("fp32_flop_per_second");
  metrics::Multiprocessor& sm = file.multiprocessor;
  keys.integer("l2_bytes", file.l2Bytes);
  keys.integer("multiprocessors", file.multiprocessors);
  keys.integer("clock_mhz", file.clockMhz);
  keys.integer("registers_per_multiprocessor", sm.registers);
  keys.integer("shared_bytes_per_multiprocessor", sm.sharedBytes);
  keys.integer("shared_bytes_reserved_per_block", sm.sharedBytesReservedPerBlock);
  keys.integer("threads_per_multiprocessor", sm.threads);
  keys.integer("blocks_per_multiprocessor", sm.blocks);
  keys.integer("threads_per_block", sm.threadsPerBlock);
  keys.integer("shared_bytes_per_block", sm.sharedBytesPerBlock);
  if (keys.error()) return *keys.error();
  const auto capability = metrics::parseComputeCapability(file.computeCapability);
  if (file.name.empty() || !capability) {
    Error error = requestError("a device needs name and compute_capability, such as \"9.0\"");
    error.where = TextLocation{path, 0, 0};
    return error;
  }
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
  ceilings.origin = "computed from the data sheet";
  ceilings.dramBytesPerSecond = dramBytesPerSecond;
  ceilings.fp32FlopPerSecond = fp32FlopPerSecond;
  ceilings.facts = info();
  return ceilings;
}

tilestep::Result<DeviceFile> readDeviceFile(const std::string& path) {
  tilestep::Result<std::string> text = readTextFile(path);
  if (!text) return text.error();
  try {
    return readTable(toml::parse(*text, path), path);
  } catch (const toml::parse_error& failure) {
    Error error = requestError(std::string(failure.description()));
    const toml::source_position at = failure.source().begin;
    error.where = TextLocation{path, static_cast<int>(at.line), static_cast<int>(at.column)};
    return error;
  }
}

std::vector<DeviceFile> readDeviceFiles(const std::string& folder, std::vector<Error>* errors) {
  std::vector<DeviceFile> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".toml") continue;
    tilestep::Result<DeviceFile> file = readDeviceFile(entry.path().string());
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
