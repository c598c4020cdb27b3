// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/experiment.h"

/// What `bench ladder` measured: one row a rung and size, and what is said of it.
namespace tilestep::bench {

/// P = M N with M of m x k and N of k x n.
struct ProductSize {
  int64_t m = 0, n = 0, k = 0;
  [[nodiscard]] double operations() const;
  [[nodiscard]] compile::Bindings bindings() const { return {{"m", m}, {"n", n}, {"k", k}}; }
  bool operator==(const ProductSize&) const = default;
};
/// "4096" for a cube, else "4096x4096x1000".
[[nodiscard]] std::string toText(const ProductSize& size);
/// The other way; an Error of the request for anything else.
[[nodiscard]] Result<ProductSize> parseSize(const std::string& text);

struct LadderRow {
  std::string kernel;  ///< "rung03_tiled", "cublas:fp32"
  std::string title;
  /// The library's product of the same precision: of FP32 the pedantic one, "cublas:fp32".
  std::string reference;
  bool isReference = false;
  ProductSize size;
  compile::Bindings tunables;
  std::string tunablesFrom;  ///< "default", "given", "best", "best at 4096"; empty: it has none.
  std::optional<device::Measurement> measurement;
  /// Time of the reference measured right before and right after, their mean.
  std::optional<double> referenceMs;
  std::optional<double> referenceMhz;  ///< The multiprocessors' clock meanwhile, likewise.
  std::optional<double> defaultMs;     ///< FP32: of the library's default mode, likewise.
  std::optional<uint32_t> registers, localBytes;
  std::optional<lab::Check> check;
  bool sameBits = false;  ///< Compared by its bits with an output that was compared with float64.
  uint64_t outputHash = 0;
  bool wrong = false;  ///< Ran and gave wrong elements, or faulted: it has no figures then.
  std::optional<uint64_t> code;  ///< lab::codeHashOf the rung's source; the library's is not known.
  std::string note;  ///< Why it has no figures; of a reference, how far its figures lay apart.

  [[nodiscard]] std::optional<double> tflops() const;
  [[nodiscard]] std::optional<double> shareOfReference() const;
  /// Of the library's default FP32 mode; nothing for another precision.
  [[nodiscard]] std::optional<double> shareOfDefault() const;
  /// Its tunables were searched for at another size, the nearest one.
  [[nodiscard]] bool isTunedElsewhere() const;
  /// Of the device's measured FP32 multiply-adds; nothing for another precision, which does not run
  /// on those units.
  [[nodiscard]] std::optional<double> shareOfCeiling(std::optional<double> flopPerSecond) const;
  /// The clock was more than 3 % another than while the reference ran: long measurements of what
  /// takes much power are throttled, and the share would differ in short ones.
  [[nodiscard]] bool isUnevenClock() const;
  [[nodiscard]] bool isFp32() const;
};

struct LadderRecord {
  std::string device, driver, compiler, library;
  std::string identity;  ///< DeviceInfo::identity: tells GPUs of one kind apart; may be empty.
  std::string date;      ///< The UTC day, "2026-11-21".
  uint64_t seed = 1;
  std::optional<double> fp32FlopPerSecond;  ///< The measured ceiling.
  std::string ceilingOrigin;
  std::vector<LadderRow> rows;
};

/// Fewer repetitions than a figure of the record should have; tables mark such rows.
constexpr uint32_t kFewRepetitions = 20;

/// Files for other programs. Each line of the CSV names device, driver, UTC day and the rung's
/// code, so that it shows which lines are of an earlier state. Older files end before these four
/// columns, or before `share_of_default` and `gpu`.
[[nodiscard]] std::string toCsv(const LadderRecord& record);
[[nodiscard]] std::string toJson(const LadderRecord& record);
/// LadderRow::tunablesFrom of those that were searched for at another size begins so.
inline constexpr const char* kBestElsewhere = "best at ";
/// "TILE_M=64 TILE_N=128"
[[nodiscard]] std::string toText(const compile::Bindings& tunables);

}  // namespace tilestep::bench
