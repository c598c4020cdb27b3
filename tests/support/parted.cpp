// SPDX-License-Identifier: Apache-2.0
#include "support/parted.h"

#include <regex>

#include "base/files.h"

namespace tilestep::support {
namespace {

void addLaunches(std::vector<PartedLaunch>& launches, const compile::CatalogueEntry& entry) {
  const auto& sizes = entry.spec->sizes;
  std::vector<compile::Bindings> odd;
  if (sizes.contains("k")) {
    odd = {{{"m", 118}, {"n", 254}, {"k", 115}}, {{"m", 159}, {"n", 31}, {"k", 274}}};
  } else if (sizes.contains("m")) {
    odd = {{{"m", 118}, {"n", 254}}, {{"m", 159}, {"n", 31}}};
  } else {
    odd = {{{"n", 4099}}, {{"n", 1009}}};
  }
  for (const compile::Bindings& chosen : odd) {
    std::string name = entry.spec->name;
    for (const auto& [size, value] : chosen) name += " " + size + "=" + std::to_string(value);
    launches.push_back({name, entry.source, chosen});
  }
}

}  // namespace

std::vector<PartedLaunch> partedKernels(const std::string& home) {
  std::vector<PartedLaunch> launches;
  const std::regex kernel("__global__ void (\\w+)");
  for (const char* file : {"loops.cu", "branches.cu", "waits.cu"}) {
    const std::string path = home + "/tests/parted/" + file;
    const Result<std::string> text = readTextFile(path);
    if (!text) continue;
    for (std::sregex_iterator at(text->begin(), text->end(), kernel), end; at != end; ++at) {
      const std::string entry = (*at)[1].str();
      launches.push_back({entry, {path, *text, "", entry}, {}});
    }
  }
  return launches;
}

std::vector<PartedLaunch> shippedLaunches(const std::string& home) {
  std::vector<PartedLaunch> launches;
  for (const compile::CatalogueEntry& entry : compile::readCatalogue(home + "/kernels")) {
    if (entry.spec) addLaunches(launches, entry);
  }
  return launches;
}

}  // namespace tilestep::support
