// SPDX-License-Identifier: Apache-2.0
#include "features/timing/ways.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/figure.h"
#include "lab/recording/recording.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

using device::NamedValue;

constexpr std::array<std::pair<const char*, const char*>, 4> kWays{
    {{"clock-unsynchronized", "CPU clock, not synchronised"},
     {"clock-synchronized", "CPU clock, synchronised"},
     {"events", "two events, one launch"},
     {"repeated", "two events, many launches"}}};

std::string secondsText(double seconds) {
  return toText(seconds, Unit::seconds);
}

/// The time per launch in a long series, by which rows are compared.
std::optional<double> secondsOf(const TimingRow& row) {
  const NamedValue* repeated = find(row.ways, "repeated");
  return repeated == nullptr ? std::nullopt : std::optional(repeated->median);
}

const TimingRow* extreme(const std::vector<TimingRow>& rows, bool longest) {
  const TimingRow* chosen = nullptr;
  for (const TimingRow& row : rows) {
    const std::optional<double> seconds = secondsOf(row);
    if (!seconds) continue;
    const bool further = chosen == nullptr || (longest ? *seconds > *secondsOf(*chosen)
                                                       : *seconds < *secondsOf(*chosen));
    if (further) chosen = &row;
  }
  return chosen;
}

}  // namespace

TimingRow timingRowOf(const LabKernel& kernel) {
  TimingRow row;
  row.kernel = kernel.label.empty() ? shortNameOf(kernel.name) : kernel.label;
  row.sizes = sizesText(kernel.timedSizes);
  row.tunables = lab::pointText({}, timedTunablesOf(kernel));
  return row;
}

TimingRow timingRowOf(const LabKernel& kernel, const lab::RunResult& result) {
  TimingRow row = timingRowOf(kernel);
  row.ways = result.timings;
  if (row.ways.empty())
    row.gap = result.timingsNote.empty() ? "This device gives no times." : result.timingsNote;
  else
    row.on = deviceText(result.device);
  return row;
}

std::string wayName(const std::string& id) {
  for (const auto& [known, name] : kWays)
    if (id == known) return name;
  return id;
}

double TimingAxis::share(double seconds) const {
  if (!(seconds > from)) return 0;
  return std::min(std::log10(seconds / from) / std::log10(to / from), 1.0);
}

std::vector<double> TimingAxis::ticks() const {
  std::vector<double> powers;
  const auto first = static_cast<int>(std::lround(std::log10(from))),
             last = static_cast<int>(std::lround(std::log10(to)));
  for (int power = first; power <= last; ++power) powers.push_back(std::pow(10.0, power));
  return powers;
}

TimingAxis timingAxisOf(const std::vector<TimingRow>& rows) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const TimingRow& row : rows) {
    for (const NamedValue& way : row.ways) {
      for (const double seconds : {way.p10, way.median, way.p90, way.first}) {
        if (seconds > 0) least = std::min(least, seconds);
        most = std::max(most, seconds);
      }
    }
  }
  if (most <= 0) return {};
  const double from = std::floor(std::log10(least)), to = std::ceil(std::log10(most));
  return {std::pow(10.0, from), std::pow(10.0, std::max(to, from + 1))};
}

std::string timingSentence(const std::vector<TimingRow>& rows) {
  const TimingRow *longest = extreme(rows, true), *shortest = extreme(rows, false);
  if (longest == nullptr) return {};
  std::string text;
  if (const NamedValue* way = find(longest->ways, "clock-unsynchronized"))
    text += "A launch of the " + longest->kernel + " takes " + secondsText(*secondsOf(*longest)) +
            ". Without synchronisation the CPU clock shows " + secondsText(way->median) +
            ", the time to queue the launch.";
  if (const NamedValue* way = find(shortest->ways, "clock-synchronized"))
    text += std::string(text.empty() ? "" : " ") + "With synchronisation it shows " +
            secondsText(way->median) + " for the " + shortest->kernel + ", which takes " +
            secondsText(*secondsOf(*shortest)) + " in a series of launches.";
  return text;
}

std::string commonTimingGap(const std::vector<TimingRow>& rows) {
  if (rows.empty() || rows.front().gap.empty()) return {};
  const std::string& first = rows.front().gap;
  const bool isCommon =
      std::ranges::all_of(rows, [&](const TimingRow& row) { return row.gap == first; });
  return isCommon ? first : std::string();
}

}  // namespace tilestep::features
