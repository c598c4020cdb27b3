// SPDX-License-Identifier: Apache-2.0
#include "support/ladder_record.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/library_product.h"
#include "lab/sweep_file.h"

namespace tilestep::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double value, const char* format) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string number(const std::optional<double>& value, const char* format) {
  return value ? number(*value, format) : "";
}

template <class T>
std::string whole(const std::optional<T>& value) {
  return value ? std::to_string(*value) : "";
}

template <class T>
Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Result<int64_t> parseExtent(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1)
    return requestError("a size is a whole number from 1 on, and not '" + std::string(text) + "'");
  return value;
}

}  // namespace

double ProductSize::operations() const {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

std::string toText(const ProductSize& size) {
  if (size.m == size.n && size.n == size.k) return std::to_string(size.m);
  return std::to_string(size.m) + "x" + std::to_string(size.n) + "x" + std::to_string(size.k);
}

Result<ProductSize> parseSize(const std::string& text) {
  std::vector<int64_t> extents;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('x', at), text.size());
    const Result<int64_t> extent = parseExtent(std::string_view(text).substr(at, end - at));
    if (!extent) return extent.error();
    extents.push_back(*extent);
    at = end + 1;
  }
  if (extents.size() == 1) return ProductSize{extents[0], extents[0], extents[0]};
  if (extents.size() == 3) return ProductSize{extents[0], extents[1], extents[2]};
  return requestError("--size takes N or MxNxK, and not '" + text + "'");
}

std::string toText(const compile::Bindings& tunables) {
  std::string text;
  for (const auto& [name, value] : tunables)
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  return text;
}

bool LadderRow::isFp32() const {
  return reference == kCublasFp32;
}

std::optional<double> LadderRow::tflops() const {
  if (wrong || !measurement || measurement->medianMs <= 0) return std::nullopt;
  return size.operations() / measurement->medianMs / 1e9;
}

std::optional<double> LadderRow::shareOfReference() const {
  if (isReference || !tflops() || !referenceMs) return std::nullopt;
  return *referenceMs / measurement->medianMs;
}

std::optional<double> LadderRow::shareOfDefault() const {
  if (isReference || !tflops() || !defaultMs) return std::nullopt;
  return *defaultMs / measurement->medianMs;
}

bool LadderRow::isTunedElsewhere() const {
  return tunablesFrom.starts_with(kBestElsewhere);
}

bool LadderRow::isUnevenClock() const {
  constexpr double kApart = 0.03;
  if (!shareOfReference() || !referenceMhz || !measurement->clockMhz) return false;
  return std::abs(*measurement->clockMhz / *referenceMhz - 1) > kApart;
}

std::optional<double> LadderRow::shareOfCeiling(std::optional<double> flopPerSecond) const {
  if (!isFp32() || !tflops() || !flopPerSecond) return std::nullopt;
  return *tflops() * 1e12 / *flopPerSecond;
}

std::string toCsv(const LadderRecord& record) {
  std::string text = lab::csvLine({"kernel",
                                   "m",
                                   "n",
                                   "k",
                                   "tunables",
                                   "tunables_from",
                                   "median_ms",
                                   "p10_ms",
                                   "p90_ms",
                                   "repetitions",
                                   "clock_mhz",
                                   "tflops",
                                   "reference",
                                   "share_of_reference",
                                   "share_of_fma_ceiling",
                                   "registers",
                                   "local_bytes",
                                   "scaled_error",
                                   "bound",
                                   "note",
                                   "device",
                                   "driver",
                                   "date",
                                   "code",
                                   "share_of_default",
                                   "gpu"});
  for (const LadderRow& row : record.rows) {
    const bool timed = row.tflops().has_value();
    const auto ms = [&](double device::Measurement::*field) {
      return timed ? number((*row.measurement).*field, "%.5g") : "";
    };
    text += lab::csvLine({row.kernel,
                          std::to_string(row.size.m),
                          std::to_string(row.size.n),
                          std::to_string(row.size.k),
                          toText(row.tunables),
                          row.tunablesFrom,
                          ms(&device::Measurement::medianMs),
                          ms(&device::Measurement::p10Ms),
                          ms(&device::Measurement::p90Ms),
                          timed ? std::to_string(row.measurement->repetitions) : "",
                          timed ? whole(row.measurement->clockMhz) : "",
                          number(row.tflops(), "%.4g"),
                          row.isReference ? "" : row.reference,
                          number(row.shareOfReference(), "%.4f"),
                          number(row.shareOfCeiling(record.fp32FlopPerSecond), "%.4f"),
                          whole(row.registers),
                          whole(row.localBytes),
                          row.check ? number(row.check->scaledError, "%.2e") : "",
                          row.check ? number(row.check->bound, "%.2e") : "",
                          row.note,
                          record.device,
                          record.driver,
                          record.date,
                          row.code ? hex64(*row.code) : "",
                          number(row.shareOfDefault(), "%.4f"),
                          record.identity});
  }
  return text;
}

std::string toJson(const LadderRecord& record) {
  Json json = {{"schema", 1},
               {"device", record.device},
               {"driver", record.driver},
               {"gpu", record.identity.empty() ? Json(nullptr) : Json(record.identity)},
               {"date", record.date},
               {"compiler", record.compiler},
               {"library", record.library},
               {"seed", record.seed},
               {"fp32_flop_per_second", orNull(record.fp32FlopPerSecond)},
               {"fp32_ceiling_origin", record.ceilingOrigin},
               {"rows", Json::array()}};
  for (const LadderRow& row : record.rows) {
    Json one = {{"kernel", row.kernel},
                {"title", row.title},
                {"reference", row.reference},
                {"m", row.size.m},
                {"n", row.size.n},
                {"k", row.size.k},
                {"tunables", row.tunables},
                {"tunables_from", row.tunablesFrom},
                {"wrong", row.wrong},
                {"note", row.note},
                {"measurement", nullptr},
                {"tflops", orNull(row.tflops())},
                {"reference_ms", orNull(row.referenceMs)},
                {"reference_clock_mhz", orNull(row.referenceMhz)},
                {"share_of_reference", orNull(row.shareOfReference())},
                {"default_ms", orNull(row.defaultMs)},
                {"share_of_default", orNull(row.shareOfDefault())},
                {"share_of_fma_ceiling", orNull(row.shareOfCeiling(record.fp32FlopPerSecond))},
                {"registers", orNull(row.registers)},
                {"local_bytes", orNull(row.localBytes)},
                {"check", nullptr},
                {"output_hash", hex64(row.outputHash)},
                {"code", row.code ? Json(hex64(*row.code)) : Json(nullptr)}};
    if (row.tflops()) {
      const device::Measurement& m = *row.measurement;
      one["measurement"] = {{"median_ms", m.medianMs},
                            {"min_ms", m.minMs},
                            {"p10_ms", m.p10Ms},
                            {"p90_ms", m.p90Ms},
                            {"repetitions", m.repetitions},
                            {"rejected", m.rejected},
                            {"batch", m.batch},
                            {"clock_mhz", orNull(m.clockMhz)},
                            {"power_w", orNull(m.powerWatts)},
                            {"method", m.method}};
    }
    if (row.check) {
      one["check"] = {{"reference", row.check->reference},
                      {"scaled_error", row.check->scaledError},
                      {"bound", row.check->bound},
                      {"unwritten", row.check->unwritten},
                      {"ok", row.check->ok},
                      {"same_bits", row.sameBits}};
    }
    json["rows"].push_back(std::move(one));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilestep::bench
