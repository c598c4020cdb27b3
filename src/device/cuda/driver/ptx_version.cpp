// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/ptx_version.h"

#include <cstdio>

namespace tilestep::cuda {
namespace {

struct Known {
  int driver, ptx;
};
constexpr Known kKnown[] = {
    {13010, 91}, {13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85}, {12040, 84},
    {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80}, {11080, 78}, {11070, 77}, {11060, 76},
    {11050, 75}, {11040, 74}, {11030, 73}, {11020, 72}, {11010, 71}, {11000, 70},
};
constexpr int kOldest = 63;  // The first version with sm_75.

constexpr const char* kDirective = ".version";

struct Place {
  size_t at = 0, size = 0;  ///< Position and length of the number.
  int version = 0;
};

std::optional<Place> findVersion(const std::string& ptx) {
  const size_t at = ptx.find(kDirective);
  if (at == std::string::npos) return std::nullopt;
  const size_t begin = ptx.find_first_of("0123456789", at);
  if (begin == std::string::npos) return std::nullopt;
  int major = 0, minor = 0, read = 0;
  if (std::sscanf(ptx.c_str() + begin, "%2d.%1d%n", &major, &minor, &read) != 2) {
    return std::nullopt;
  }
  return Place{begin, static_cast<size_t>(read), major * 10 + minor};
}

}  // namespace

int ptxVersionOfDriver(int driverVersion) {
  for (const Known& known : kKnown) {
    if (driverVersion >= known.driver) return known.ptx;
  }
  return kOldest;
}

std::optional<int> ptxVersionOf(const std::string& ptx) {
  const std::optional<Place> place = findVersion(ptx);
  if (!place) return std::nullopt;
  return place->version;
}

std::string ptxForDriver(const std::string& ptx, int driverVersion) {
  const std::optional<Place> place = findVersion(ptx);
  if (!place || driverVersion == 0) return ptx;
  const int most = ptxVersionOfDriver(driverVersion);
  const bool known = driverVersion <= kKnown[0].driver;
  if (!known || place->version <= most) return ptx;
  std::string lowered = ptx;
  lowered.replace(place->at, place->size,
                  std::to_string(most / 10) + "." + std::to_string(most % 10));
  return lowered;
}

std::optional<Spills> spillsOf(const std::string& log, const std::string& entry) {
  for (size_t at = log.find(entry); at != std::string::npos; at = log.find(entry, at + 1)) {
    const size_t line = log.rfind('\n', at) + 1;  // npos + 1 is 0, the first line.
    if (log.substr(line, at - line).find("Function properties for") == std::string::npos) continue;
    const size_t end = at + entry.size();
    if (end < log.size() && log[end] != '\n' && log[end] != '\'' && log[end] != '\r') continue;
    const size_t next = log.find('\n', end);
    if (next == std::string::npos) return std::nullopt;
    unsigned stack = 0;
    Spills spills;
    if (std::sscanf(log.c_str() + next + 1,
                    "%*[^0-9]%u bytes stack frame, %u bytes spill stores, %u bytes spill loads",
                    &stack, &spills.storeBytes, &spills.loadBytes) == 3) {
      return spills;
    }
  }
  return std::nullopt;
}

}  // namespace tilestep::cuda
