// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "base/hash.h"
#include "base/number_text.h"
#include "lab/figures.h"
#include "lab/recording/recording.h"

namespace tilestep::lab {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Error valuesError(const std::string& text) {
  return requestError("'" + text +
                      "' is not a list of whole numbers; write 16, 8,16,32 or "
                      "FIRST:LAST:STEP such as 4:32:4");
}

/// Appends FIRST:LAST[:STEP] to `values`.
Status appendRange(const std::string& text, std::vector<int64_t>& values) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() > 3) return valuesError(text);
  std::array<int64_t, 3> numbers{0, 0, 1};
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::optional<int64_t> number = numberIn<int64_t>(parts[i]);
    if (!number) return valuesError(text);
    numbers[i] = *number;
  }
  if (parts.size() == 1) numbers[1] = numbers[0];
  const auto [first, last, step] = numbers;
  if (step <= 0 || last < first) {
    return requestError("the range " + text +
                        " is empty; the step is at least 1 and FIRST at most "
                        "LAST");
  }
  const uint64_t more =
      (static_cast<uint64_t>(last) - static_cast<uint64_t>(first)) / static_cast<uint64_t>(step);
  if (more >= kMostPoints - values.size()) {
    return requestError("the range " + text + " has too many values; at most " +
                        std::to_string(kMostPoints) + " are accepted");
  }
  for (uint64_t i = 0; i <= more; ++i) values.push_back(first + static_cast<int64_t>(i) * step);
  return {};
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

using NamedCells = std::map<std::string, std::string>;

void addFigures(const RunResult& result, NamedCells& cells) {
  cells["shared_bytes"] = std::to_string(result.sharedBytes);
  if (result.registers) cells["registers"] = std::to_string(*result.registers);
  if (result.localBytes) cells["local_bytes"] = std::to_string(*result.localBytes);
  if (const auto gflops = gflopsOf(result)) cells["gflops"] = number(*gflops);
  if (const auto rate = askedBandwidthGbsOf(result)) cells["asked_bandwidth_gbs"] = number(*rate);
  if (const auto& time = result.measurement) {
    cells["median_ms"] = number(time->medianMs);
    cells["min_ms"] = number(time->minMs);
    cells["p10_ms"] = number(time->p10Ms);
    cells["p90_ms"] = number(time->p90Ms);
    cells["repetitions"] = std::to_string(time->repetitions);
  }
  if (!result.counters) return;
  for (const NamedCount& count : namedCounts(result.counters->total))
    cells[count.name] = std::to_string(count.value);
  std::string& uncertain = cells["uncertain"];
  for (const std::string& name : uncertainNames(result.uncertain))
    uncertain += (uncertain.empty() ? "" : " ") + name;
}

std::string reasonFor(const RunResult& result) {
  if (result.nearest) return nearestText(*result.nearest);
  if (!result.faults.empty()) return result.faults.front().message;
  if (result.hazards && !result.hazards->empty()) return result.hazards->front().kind;
  if (result.nothingToCompare) return result.checkNote;
  if (result.check && !result.check->ok) {
    return result.check->unwritten > 0
               ? std::to_string(result.check->unwritten) +
                     (result.check->unwritten == 1 ? " output element was not written"
                                                   : " output elements were not written")
               : "the result differs from " + result.check->reference;
  }
  return {};
}

}  // namespace

Result<std::vector<int64_t>> parseValues(const std::string& text) {
  std::vector<int64_t> values;
  for (const std::string& part : split(text, ',')) {
    if (const Status appended = appendRange(part, values); !appended) return appended.error();
  }
  return values;
}

Result<std::vector<Point>> combinations(const std::vector<Axis>& axes) {
  std::vector<Point> points{{}};
  for (const Axis& axis : axes) {
    if (axis.values.size() > kMostPoints / points.size()) {
      return requestError("the sweep has more than " + std::to_string(kMostPoints) +
                          " points; name fewer values");
    }
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (const int64_t value : axis.values) {
        longer.push_back(point);
        for (const std::string& name : axis.names) longer.back().emplace_back(name, value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::string sweptName(const compile::KernelSource& source, const compile::KernelSpec& spec) {
  return source.entry.empty() ? spec.name : spec.name + ":" + source.entry;
}

uint64_t textHashOf(const compile::KernelSource& source) {
  uint64_t hash = fnv1a64(source.text);
  for (const std::string* part : {&source.frontMatter, &source.entry})
    hash = fnv1a64(*part, fnv1a64(std::string_view("\0", 1), hash));
  return hash;
}

SweepRow rowOf(const std::string& kernel, const Experiment& experiment, Result<RunResult> outcome) {
  SweepRow row;
  row.kernel = kernel;
  row.device = experiment.device;
  row.sizes = experiment.sizes;
  row.tunables = experiment.tunables;
  row.checked = experiment.check;
  row.seed = experiment.seed;
  row.code = textHashOf(experiment.source);
  if (!outcome) {
    const bool illegal = outcome.error().kind == ErrorKind::request;
    row.status = illegal ? SweepRow::Status::skipped : SweepRow::Status::failed;
    row.reason = outcome.error().message;
    return row;
  }
  row.device = outcome->device.id;
  row.sizes = outcome->plan.sizes;
  row.tunables = outcome->plan.tunables;
  row.status = outcome->clean() ? SweepRow::Status::ok : SweepRow::Status::wrong;
  row.reason = reasonFor(*outcome);
  row.result = std::move(outcome).value();
  return row;
}

std::vector<std::string> sweepColumns(const compile::KernelSpec& spec, bool counters) {
  std::vector<std::string> columns{"kernel", "device"};
  for (const auto& [name, value] : orderedSizes(spec.sizes)) columns.push_back(name);
  for (const compile::TunableSpec& tunable : spec.tunables) columns.push_back(tunable.name);
  for (const char* name : {"status", "median_ms", "min_ms", "p10_ms", "p90_ms", "repetitions",
                           "gflops", "asked_bandwidth_gbs", "registers", "shared_bytes"}) {
    columns.push_back(name);
  }
  if (counters) {
    for (const trace::CounterField& field : trace::counterFields())
      columns.emplace_back(field.name);
    columns.push_back("uncertain");
  }
  columns.push_back("reason");
  return columns;
}

std::vector<std::string> askedColumns() {
  return {"checked", "seed", "code", "device_name", "compiler"};
}

SweepLine sweepCells(const std::vector<std::string>& columns, const SweepRow& row) {
  NamedCells cells{{"kernel", row.kernel},
                   {"device", row.device},
                   {"status", kSweepStatus[static_cast<size_t>(row.status)]},
                   {"reason", row.reason},
                   {"checked", row.checked ? "yes" : "no"},
                   {"seed", std::to_string(row.seed)},
                   {"code", hex64(row.code)}};
  if (row.result) {
    cells["device_name"] = row.result->device.name;
    cells["compiler"] = row.result->compiler.name + " " + row.result->compiler.version;
    addFigures(*row.result, cells);
  }
  for (const compile::Bindings* values : {&row.tunables, &row.sizes})
    for (const auto& [name, value] : *values) cells[name] = std::to_string(value);
  SweepLine line;
  for (const std::string& column : columns) line.push_back(cells[column]);
  return line;
}

}  // namespace tilestep::lab
