// SPDX-License-Identifier: Apache-2.0
// Pinned runs as text and back.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <sstream>
#include <utility>

#include "base/hash.h"
#include "model/choice/pins.h"
#include "model/files/checked_toml.h"

namespace tilestep::model {
namespace {

constexpr size_t kLongestText = 4096;
constexpr size_t kMostNames = 64;  ///< Of sizes or tunables.
constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
constexpr double kMostMs = 1e9;
constexpr double kMostOperations = 1e24;
constexpr std::array<const char*, kPinOrigins> kOrigins{"measured", "recorded", "interpreter"};

std::optional<uint64_t> fromHex(const std::string& text) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  if (text.size() != 16 || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// --- Out ---------------------------------------------------------------------------------------

void addBytes(toml::table& table, const char* key, std::optional<uint64_t> bytes) {
  if (bytes) table.insert(key, static_cast<int64_t>(*bytes));
}

toml::table tableOf(const metrics::RooflineWork& work) {
  toml::table table{{"operations", work.operations},
                    {"asked_bytes", static_cast<int64_t>(work.askedBytes)},
                    {"sector_bytes", static_cast<int64_t>(work.sectorBytes)},
                    {"compulsory_bytes", static_cast<int64_t>(work.compulsoryBytes)},
                    {"counted_by", work.countedBy},
                    {"hardware", work.hardware},
                    {"hardware_cold", work.hardwareCold},
                    {"measured_on", work.measuredOn},
                    {"cold_measured_on", work.coldMeasuredOn}};
  addBytes(table, "l2_bytes", work.l2Bytes);
  addBytes(table, "dram_bytes", work.dramBytes);
  addBytes(table, "shared_bytes", work.sharedBytes);
  return table;
}

toml::table tableOf(const PinnedTime& time) {
  toml::table table{{"median_ms", time.medianMs},
                    {"min_ms", time.minMs},
                    {"p10_ms", time.p10Ms},
                    {"p90_ms", time.p90Ms},
                    {"repetitions", int64_t{time.repetitions}},
                    {"batch", int64_t{time.batch}},
                    {"method", time.method}};
  if (time.coldMedianMs) table.insert("cold_median_ms", *time.coldMedianMs);
  return table;
}

toml::table tableOf(const Pin& pin) {
  toml::table table{{"id", hex64(pin.id)},
                    {"name", pin.name},
                    {"colour", int64_t{pin.colour}},
                    {"pinned", pin.pinned},
                    {"kernel", pin.kernel},
                    {"file", pin.kernelFile},
                    {"code", hex64(pin.codeHash)},
                    {"sizes", bindingsTable(pin.sizes)},
                    {"tunables", bindingsTable(pin.tunables)},
                    {"grid", arrayOf(pin.grid)},
                    {"block", arrayOf(pin.block)},
                    {"device", pin.device},
                    {"device_name", pin.deviceName},
                    {"driver", pin.driver},
                    {"origin", kOrigins[static_cast<size_t>(pin.origin)]},
                    {"made_on", pin.madeOn},
                    {"shared_bytes", int64_t{pin.sharedBytes}},
                    {"work", tableOf(pin.work)}};
  if (!pin.entry.empty()) table.insert("entry", pin.entry);
  if (!pin.identity.empty()) table.insert("gpu", pin.identity);
  if (pin.machines > 0) {
    table.insert("machines", int64_t{pin.machines});
    table.insert("machine", int64_t{pin.machineNumber});
  }
  if (pin.time) table.insert("time", tableOf(*pin.time));
  if (pin.registers) table.insert("registers", int64_t{*pin.registers});
  if (pin.occupancy) table.insert("occupancy", *pin.occupancy);
  if (pin.achieved) table.insert("achieved", *pin.achieved);
  return table;
}

// --- In ----------------------------------------------------------------------------------------

class Reader : CheckedToml {
 public:
  using CheckedToml::CheckedToml;

  Result<Pins> read(const toml::table& root) {
    toml_.onlyKeys(root, {"version", "base", "run"}, "the file");
    if (whole(root, "version", 0, 0, 1 << 20) != Pins::kVersion)
      fail(root, "version", "version is not 1, the only one that this program reads");
    const std::vector<const toml::table*> runs = toml_.tables(root, "run");
    if (runs.size() > kMostPins)
      fail(root, "run", "more than " + std::to_string(kMostPins) + " runs");
    for (const toml::table* run : runs) {
      if (toml_.error()) break;
      addRun(*run);
    }
    if (root.contains("base")) pins_.base = number64(root, "base");
    if (toml_.error()) return *toml_.error();
    return std::move(pins_);
  }

 private:
  double real(const toml::table& table, const char* key, double low, double high) {
    if (!table.contains(key)) fail(table, key, std::string(key) + " is missing");
    return number(table, key, low, low, high);
  }

  std::optional<double> share(const toml::table& table, const char* key) {
    if (!table.contains(key)) return std::nullopt;
    return real(table, key, 0, 1);
  }

  std::string text(const toml::table& table, const char* key) {
    std::string value = toml_.text(table, key);
    if (value.size() > kLongestText || value.find('\0') != std::string::npos)
      fail(table, key, std::string(key) + " is no text: too long, or with a zero byte");
    return value;
  }

  uint64_t number64(const toml::table& table, const char* key) {
    const std::optional<uint64_t> value = fromHex(toml_.text(table, key));
    if (!value) fail(table, key, std::string(key) + " is sixteen hexadecimal digits");
    return value.value_or(0);
  }

  compile::Bindings bindings(const toml::table& table, const char* key) {
    compile::Bindings values;
    const toml::node* node = table.get(key);
    const toml::table* inner = node != nullptr ? node->as_table() : nullptr;
    if (inner == nullptr || inner->size() > kMostNames) {
      fail(table, key, std::string(key) + " is a table of at most 64 names");
      return values;
    }
    for (const auto& [name, value] : *inner) {
      const std::optional<int64_t> number = value.value_exact<int64_t>();
      if (!number || name.str().empty() || name.str().size() > kLongestText)
        toml_.fail(value, "each of the " + std::string(key) + " is a name and a whole number");
      else
        values[std::string(name.str())] = *number;
    }
    return values;
  }

  Dim3 index(const toml::table& table, const char* key) {
    const std::vector<int64_t> values = toml_.integers(table, key);
    const auto fits = [](int64_t v) { return v >= 1 && v <= std::numeric_limits<int32_t>::max(); };
    if (values.size() != 3 || !std::ranges::all_of(values, fits)) {
      fail(table, key, std::string(key) + " is three extents: [x, y, z]");
      return {1, 1, 1};
    }
    const auto at = [&](size_t i) { return static_cast<uint32_t>(values[i]); };
    return {at(0), at(1), at(2)};
  }

  const toml::table* tableIn(const toml::table& table, const char* key, bool needed) {
    const toml::node* node = table.get(key);
    const toml::table* inner = node != nullptr ? node->as_table() : nullptr;
    if (inner == nullptr && (needed || node != nullptr))
      fail(table, key, std::string(key) + " is a table, and has to be there");
    return inner;
  }

  uint64_t bytes(const toml::table& table, const char* key) {
    return static_cast<uint64_t>(whole(table, key, 0, 0, kLargest));
  }
  std::optional<uint64_t> someBytes(const toml::table& table, const char* key) {
    if (!table.contains(key)) return std::nullopt;
    return bytes(table, key);
  }

  metrics::RooflineWork readWork(const toml::table& table) {
    toml_.onlyKeys(table,
                   {"operations", "asked_bytes", "sector_bytes", "compulsory_bytes", "counted_by",
                    "hardware", "hardware_cold", "measured_on", "cold_measured_on", "l2_bytes",
                    "dram_bytes", "shared_bytes"},
                   "work");
    metrics::RooflineWork work;
    work.operations = real(table, "operations", 0, kMostOperations);
    work.askedBytes = bytes(table, "asked_bytes");
    work.sectorBytes = bytes(table, "sector_bytes");
    work.compulsoryBytes = bytes(table, "compulsory_bytes");
    work.countedBy = text(table, "counted_by");
    work.hardware = text(table, "hardware");
    work.hardwareCold = toml_.boolean(table, "hardware_cold", false);
    work.measuredOn = text(table, "measured_on");
    work.coldMeasuredOn = text(table, "cold_measured_on");
    work.l2Bytes = someBytes(table, "l2_bytes");
    work.dramBytes = someBytes(table, "dram_bytes");
    work.sharedBytes = someBytes(table, "shared_bytes");
    return work;
  }

  PinnedTime readTime(const toml::table& table) {
    toml_.onlyKeys(table,
                   {"median_ms", "min_ms", "p10_ms", "p90_ms", "repetitions", "batch", "method",
                    "cold_median_ms"},
                   "time");
    constexpr double kLeastMs = 1e-9;
    PinnedTime time;
    time.medianMs = real(table, "median_ms", kLeastMs, kMostMs);
    time.minMs = real(table, "min_ms", kLeastMs, kMostMs);
    time.p10Ms = real(table, "p10_ms", kLeastMs, kMostMs);
    time.p90Ms = real(table, "p90_ms", kLeastMs, kMostMs);
    if (time.p10Ms > time.medianMs || time.medianMs > time.p90Ms || time.minMs > time.p10Ms)
      fail(table, "median_ms", "the order is min_ms, p10_ms, median_ms, p90_ms");
    constexpr int64_t kMostRuns = std::numeric_limits<uint32_t>::max();
    time.repetitions = static_cast<uint32_t>(whole(table, "repetitions", 0, 0, kMostRuns));
    time.batch = static_cast<uint32_t>(whole(table, "batch", 1, 1, kMostRuns));
    time.method = text(table, "method");
    if (table.contains("cold_median_ms"))
      time.coldMedianMs = real(table, "cold_median_ms", kLeastMs, kMostMs);
    return time;
  }

  PinOrigin origin(const toml::table& table) {
    const std::string value = toml_.text(table, "origin");
    for (size_t i = 0; i < kOrigins.size(); ++i)
      if (value == kOrigins[i]) return static_cast<PinOrigin>(i);
    fail(table, "origin", "origin is one of: measured, recorded, interpreter");
    return PinOrigin::interpreter;
  }

  void readWhat(const toml::table& table, Pin& pin) {
    pin.id = number64(table, "id");
    pin.name = text(table, "name");
    if (pin.name.empty()) fail(table, "name", "name is empty");
    pin.colour = static_cast<unsigned>(whole(table, "colour", 0, 0, kPinColours - 1));
    pin.pinned = text(table, "pinned");
    pin.kernel = text(table, "kernel");
    if (pin.kernel.empty()) fail(table, "kernel", "kernel is empty");
    pin.kernelFile = text(table, "file");
    if (table.contains("entry")) pin.entry = text(table, "entry");
    pin.codeHash = number64(table, "code");
    pin.sizes = bindings(table, "sizes");
    pin.tunables = bindings(table, "tunables");
    pin.grid = index(table, "grid");
    pin.block = index(table, "block");
  }

  void readMachine(const toml::table& table, Pin& pin) {
    constexpr int64_t kMostMachines = 1 << 20;
    if (table.contains("gpu")) pin.identity = text(table, "gpu");
    pin.machines = static_cast<uint32_t>(whole(table, "machines", 0, 0, kMostMachines));
    pin.machineNumber = static_cast<uint32_t>(whole(table, "machine", 0, 0, pin.machines));
  }

  void addRun(const toml::table& table) {
    toml_.onlyKeys(
        table,
        {"id",        "name",     "colour",   "pinned",       "kernel", "file",   "entry",
         "code",      "sizes",    "tunables", "grid",         "block",  "device", "device_name",
         "driver",    "origin",   "made_on",  "shared_bytes", "work",   "time",   "registers",
         "occupancy", "achieved", "gpu",      "machines",     "machine"},
        "run");
    Pin pin;
    readWhat(table, pin);
    if (pin.id == 0 || pins_.find(pin.id) != nullptr)
      fail(table, "id", "id is 0, or another run has it too");
    pin.device = text(table, "device");
    pin.deviceName = text(table, "device_name");
    pin.driver = text(table, "driver");
    readMachine(table, pin);
    pin.origin = origin(table);
    pin.madeOn = text(table, "made_on");
    constexpr int64_t kMost32 = std::numeric_limits<uint32_t>::max();
    pin.sharedBytes = static_cast<uint32_t>(whole(table, "shared_bytes", 0, 0, kMost32));
    if (table.contains("registers"))
      pin.registers = static_cast<uint32_t>(whole(table, "registers", 0, 0, kMost32));
    pin.occupancy = share(table, "occupancy");
    pin.achieved = share(table, "achieved");
    if (const toml::table* work = tableIn(table, "work", true)) pin.work = readWork(*work);
    if (const toml::table* time = tableIn(table, "time", false)) pin.time = readTime(*time);
    if (pin.time && pin.origin == PinOrigin::interpreter)
      fail(table, "time", "the interpreter gives no times, so a run of its has none");
    pins_.pins.push_back(std::move(pin));
  }

  Pins pins_;
};

}  // namespace

std::string toToml(const Pins& pins) {
  toml::array runs;
  for (const Pin& pin : pins.pins) runs.push_back(tableOf(pin));
  toml::table root{{"version", Pins::kVersion}, {"run", std::move(runs)}};
  if (pins.base != 0) root.insert("base", hex64(pins.base));
  std::ostringstream text;
  text << "# The runs that were pinned in Tilestep's window. A file that is damaged is set aside.\n"
       << root << "\n";
  return text.str();
}

Result<Pins> parsePins(std::string_view text, const std::string& file) {
  try {
    const toml::table root = toml::parse(text, file);
    return Reader(file, text).read(root);
  } catch (const toml::parse_error& error) {
    return syntaxError(error, file, text);
  }
}

}  // namespace tilestep::model
