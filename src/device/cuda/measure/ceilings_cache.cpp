// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/ceilings_cache.h"

#include <toml++/toml.h>

#include <cctype>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "base/files.h"
#include "base/hash.h"
#include "base/toml/parse_toml.h"
#include "device/ceiling_keys.h"

namespace tilestep::cuda {
namespace {

/// The file's version. Ceilings in a file of a different version are measured again.
constexpr int64_t kVersion = 3;

std::string slug(const std::string& name) {
  std::string out;
  for (const char c : name) {
    out += std::isalnum(static_cast<unsigned char>(c)) != 0
               ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
               : '-';
  }
  return out;
}

}  // namespace

std::filesystem::path ceilingsFile(const std::string& cacheFolder, const std::string& device,
                                   const std::string& identity, const std::string& driverVersion,
                                   const std::string& probePtx) {
  return std::filesystem::path(cacheFolder) / "ceilings" /
         (slug(device) + "-" + slug(identity) + "-" + slug(driverVersion) + "-" +
          hex64(fnv1a64(probePtx)) + ".toml");
}

std::optional<device::Ceilings> readCeilings(const std::filesystem::path& file) {
  const Result<std::string> text = readTextFile(file);
  if (!text) return {};
  const Result<toml::table> parsed = parseToml(text.value());
  if (!parsed) return {};  // Damaged, so it is measured and written again.
  const toml::table& table = *parsed;
  device::Ceilings ceilings;
  ceilings.device = table["device"].value_or(std::string());
  ceilings.origin = table["origin"].value_or(std::string());
  ceilings.measured = true;
  bool isWhole = !ceilings.device.empty() && !ceilings.origin.empty() &&
                 table["version"].value<int64_t>() == kVersion &&
                 table["whole"].value<bool>() == true;
  for (const device::CeilingKey& entry : device::kCeilingKeys) {
    ceilings.*entry.value = table[entry.key].value<double>();
    if (const auto& value = ceilings.*entry.value)  // Absent if the driver could not measure it.
      isWhole &= std::isfinite(*value) && *value > 0;
  }
  if (!isWhole) return {};
  return ceilings;
}

Status writeCeilings(const std::filesystem::path& file, const device::Ceilings& ceilings) {
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  std::string text = "# Measured by Tilestep; delete this file to measure again.\n";
  const toml::table names{
      {"device", ceilings.device}, {"origin", ceilings.origin}, {"version", kVersion}};
  std::ostringstream head;
  head << names << '\n';
  text += head.str();
  for (const device::CeilingKey& entry : device::kCeilingKeys) {
    if (!(ceilings.*entry.value)) continue;
    char line[128];
    std::snprintf(line, sizeof line, "%s = %.6e\n", entry.key, *(ceilings.*entry.value));
    text += line;
  }
  // Written last, so that a truncated file, whose last number might be misread, is detected.
  text += "whole = true\n";
  return writeFileAtomically(file, text);
}

}  // namespace tilestep::cuda
