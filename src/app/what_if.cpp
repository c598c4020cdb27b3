// SPDX-License-Identifier: Apache-2.0
#include "app/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/environment.h"
#include "base/figure.h"
#include "base/files.h"
#include "base/text_table.h"

namespace tilestep::app {
namespace {

namespace fs = std::filesystem;

std::string nameList(const std::vector<lab::DeviceFile>& files) {
  std::string text;
  for (const lab::DeviceFile& file : files) text += (text.empty() ? "" : ", ") + file.id;
  return text;
}

/// The error of the damaged file called `name`; null if that file is not damaged.
const Error* damaged(const std::vector<Error>& errors, const std::string& name) {
  const auto at = std::ranges::find_if(errors, [&](const Error& error) {
    return error.where && fs::path(error.where->file).stem().string() == name;
  });
  return at == errors.end() ? nullptr : &*at;
}

std::string whatIfCell(const std::optional<double>& value, Unit unit) {
  return value ? toText(*value, unit) : "–";
}

const lab::Bound* boundOf(const lab::WhatIf& there, bool minimum) {
  const auto at = std::ranges::find(there.bounds, minimum, &lab::Bound::minimum);
  return at == there.bounds.end() ? nullptr : &*at;
}

std::string boundText(const lab::WhatIf& there, bool minimum) {
  const lab::Bound* bound = boundOf(there, minimum);
  return bound == nullptr ? "–" : toText(bound->flopPerSecond, Unit::flopPerSecond);
}

std::string limitersText(const lab::WhatIf& there) {
  if (!there.occupancy) return "limits unknown";
  if (!there.refusal().empty()) return "cannot run: " + there.refusal();
  std::string text;
  for (const std::string& name : there.occupancy->limiters) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

std::string registersNote(const lab::WhatIf& there) {
  using From = lab::Registers::From;
  switch (there.registers.from) {
    case From::unknown:
      return "the register count is unknown, so the occupancy ignores registers and is an upper "
             "bound; --registers N sets a count\n";
    case From::machineCode:
      return fmt::format(
          "{} registers per thread, as in the machine code of the device that ran; "
          "the other device's compiler may use more or fewer\n",
          there.registers.count);
    case From::assumed:
      return fmt::format("{} registers per thread, assumed\n", there.registers.count);
  }
  return {};
}

}  // namespace

Result<std::vector<lab::DeviceFile>> knownDevices(const std::vector<std::string>& names) {
  if (names.empty()) return std::vector<lab::DeviceFile>{};
  const Result<fs::path> home = findHome();
  if (!home) return home.error();
  std::vector<Error> errors;
  const std::vector<lab::DeviceFile> files =
      lab::readDeviceFiles((*home / "assets" / "devices").string(), &errors);
  std::vector<lab::DeviceFile> chosen;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const Error& error : errors) say(toString(error));
      chosen.insert(chosen.end(), files.begin(), files.end());
      continue;
    }
    const auto at = std::ranges::find_if(
        files, [&](const lab::DeviceFile& file) { return file.id == name || file.name == name; });
    if (at != files.end()) {
      chosen.push_back(*at);
    } else if (const Error* error = damaged(errors, name)) {
      return *error;
    } else {
      return requestError("there is no known device '" + name + "'; the known devices are " +
                          nameList(files) + ", and all");
    }
  }
  return chosen;
}

std::string whatIfTable(const std::vector<lab::WhatIf>& all) {
  if (all.empty()) return {};
  TextTable table({"device", "DRAM", "FP32", "ridge", "if DRAM gave all", "least traffic",
                   "occupancy", "limited by"});
  for (const lab::WhatIf& there : all) {
    const bool runs = there.occupancy && there.refusal().empty();
    table.add({there.name, whatIfCell(there.dramBytesPerSecond, Unit::bytesPerSecond),
               whatIfCell(there.peakFlopPerSecond, Unit::flopPerSecond),
               whatIfCell(there.ridgeFlopPerByte, Unit::flopPerByte), boundText(there, false),
               boundText(there, true), runs ? toText(there.occupancy->ratio(), Unit::ratio) : "–",
               limitersText(there)});
  }
  return "\nwhat if it ran on another device: computed from published figures, not measured\n" +
         table.text("  ") +
         "  if DRAM gave all: the bound if every byte that lanes request came from DRAM\n"
         "  least traffic: the bound if each input is read once and each output is written "
         "once\n  " +
         registersNote(all.front());
}

std::string knownTable(const std::vector<lab::DeviceFile>& files) {
  TextTable table(
      {"known device", "name", "compute capability", "multiprocessors", "DRAM", "FP32"});
  for (const lab::DeviceFile& file : files) {
    table.add({file.id, file.name, file.computeCapability,
               file.multiprocessors ? std::to_string(file.multiprocessors) : "–",
               whatIfCell(file.dramBytesPerSecond, Unit::bytesPerSecond),
               whatIfCell(file.fp32FlopPerSecond, Unit::flopPerSecond)});
  }
  return table.text() + "from published figures: nothing here was measured\n";
}

}  // namespace tilestep::app
