// SPDX-License-Identifier: Apache-2.0
#include "program/places.h"

#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include "base/process/run_command.h"

namespace tilestep::program {
namespace {

std::string hexText(uint64_t value) {
  std::ostringstream text;
  text << "0x" << std::hex << value;
  return text.str();
}

/// "file:12" or "file:12 (discriminator 3)"; "??:0" where nothing is known.
Place placeIn(const std::string& line) {
  const size_t colon = line.rfind(':', line.find(" (discriminator"));
  if (colon == std::string::npos || line.starts_with("??")) return {};
  return {line.substr(0, colon), static_cast<uint32_t>(std::atoi(line.c_str() + colon + 1))};
}

}  // namespace

std::map<uint64_t, Place> placesOf(const std::filesystem::path& program,
                                   const std::vector<uint64_t>& returns) {
  constexpr size_t kAtOnce = 1000;
  constexpr std::chrono::milliseconds kTime{30'000};
  const std::set<uint64_t> distinct(returns.begin(), returns.end());
  std::map<uint64_t, Place> places;
  std::vector<uint64_t> asked;
  const auto ask = [&] {
    // A return address lies behind the call.
    std::vector<std::string> words{"addr2line", "-e", program.string()};
    for (const uint64_t each : asked) words.push_back(hexText(each - 1));
    const Result<CommandResult> ran = runCommand(words, kTime);
    if (!ran || ran->exitStatus != 0) return;
    std::istringstream lines(ran->output);
    std::string line;
    for (size_t i = 0; i < asked.size() && std::getline(lines, line); ++i) {
      Place place = placeIn(line);
      if (place.line != 0) places[asked[i]] = std::move(place);
    }
  };
  for (const uint64_t each : distinct) {
    if (each == 0) continue;
    asked.push_back(each);
    if (asked.size() < kAtOnce) continue;
    ask();
    asked.clear();
  }
  if (!asked.empty()) ask();
  return places;
}

}  // namespace tilestep::program
