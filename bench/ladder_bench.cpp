// SPDX-License-Identifier: Apache-2.0
// Every rung of kernels/ladder on a GPU beside cuBLAS, in its pedantic and its default FP32 mode
// and in TF32, and the device's measured FP32 ceiling: a table, and a record for other programs.
// Measured as docs/measurements/gpu-measuring.md has it; each output is compared with float64, and
// a wrong one ends it with exit status 1.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>

#include "base/files.h"
#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "device/library.h"
#include "lab/lab.h"
#include "support/ladder_run.h"
#include "support/ladder_table.h"
#include "support/ladder_tunables.h"

namespace {

using namespace tilestep;
using namespace tilestep::bench;

constexpr int kDone = 0, kWrong = 1, kRefused = 2;

struct Options {
  std::string device = "cuda:0", csv, json;
  /// Tunables were searched for at the first five; the others show what holds elsewhere. The one
  /// that takes longest is the last, so that a run that is cut off has all others.
  std::vector<std::string> sizes{"1024",           "2048", "4096", "4096x4096x1000",
                                 "1000x3000x2000", "512",  "1536", "777x1555x3001",
                                 "5000x3333x2111", "8192"};
  std::vector<std::string> kernels, sets;
  uint64_t seed = 1;
  double tuneSeconds = 0;
  bool quick = false, markdown = false;
};

int refuse(const std::string& sentence) {
  std::fprintf(stderr, "bench_ladder: %s\n", sentence.c_str());
  return kRefused;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[16] = {};
  if (gmtime_r(&now, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

Result<std::vector<Rung>> rungsOf(const std::string& home, const std::vector<std::string>& only) {
  std::vector<Rung> rungs;
  std::string names;
  for (const compile::CatalogueEntry& entry : compile::readCatalogue(home + "/kernels")) {
    if (entry.source.path.find("/ladder/") == std::string::npos) continue;
    if (!entry.spec) return *entry.error;
    const std::string& name = entry.spec->name;
    names += (names.empty() ? "" : ", ") + name;
    const bool wanted = only.empty() || std::any_of(only.begin(), only.end(), [&](const auto& o) {
                          return name.starts_with(o);
                        });
    if (wanted) rungs.push_back({entry.source, *entry.spec});
  }
  if (rungs.empty()) return requestError("--kernel names no rung; there are " + names);
  return rungs;
}

/// The library's products, as rungs without code; an Error where the library is not there.
Result<std::vector<Rung>> references() {
  if (const auto version = device::cublasVersion(); !version) return version.error();
  std::vector<Rung> found;
  for (const std::string_view name : kLibraryProducts) {
    Result<compile::KernelSource> source = compile::libraryKernel(std::string(name));
    if (!source) return source.error();
    Result<compile::KernelSpec> spec = compile::parseKernel(*source);
    if (!spec) return spec.error();
    found.push_back({std::move(*source), std::move(*spec)});
  }
  return found;
}

/// KERNEL.NAME=VALUE
Result<std::map<std::string, compile::Bindings>> parseSets(const std::vector<std::string>& sets) {
  std::map<std::string, compile::Bindings> parsed;
  for (const std::string& text : sets) {
    const size_t dot = text.find('.'), equals = text.find('=');
    const bool named = dot != std::string::npos && equals != std::string::npos && dot < equals;
    const std::string number = named ? text.substr(equals + 1) : "";
    int64_t value = 0;
    const auto end = std::from_chars(number.data(), number.data() + number.size(), value).ptr;
    if (number.empty() || end != number.data() + number.size())
      return requestError("--set takes KERNEL.NAME=VALUE, and not '" + text + "'");
    parsed[text.substr(0, dot)][text.substr(dot + 1, equals - dot - 1)] = value;
  }
  return parsed;
}

void addOptions(CLI::App& app, Options& options) {
  app.add_option("--device", options.device, "cuda:N")->capture_default_str();
  app.add_option("--size", options.sizes, "N or MxNxK, in a list")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--kernel", options.kernels, "Only rungs whose names begin so, in a list")
      ->delimiter(',');
  app.add_option("--set", options.sets, "KERNEL.NAME=VALUE: this tunable, at every size");
  app.add_option("--tune", options.tuneSeconds,
                 "Where the best tunables are not known, search so many seconds for them first, "
                 "with `tilestep sweep --best`")
      ->check(CLI::Range(1.0, 1e5));
  app.add_option("--seed", options.seed, "Of the random operands")->capture_default_str();
  app.add_flag("--quick", options.quick,
               "Size 1024 alone, unless --size says more; short measuring");
  app.add_flag("--markdown", options.markdown, "Tables for a document");
  app.add_option("--csv", options.csv, "Write the record to this file, too");
  app.add_option("--json", options.json, "Write the whole record to this file, too");
}

Status save(const Options& options, const LadderRecord& record) {
  for (const auto& [path, text] :
       {std::pair{options.csv, toCsv(record)}, std::pair{options.json, toJson(record)}}) {
    if (path.empty()) continue;
    if (Status written = writeFileAtomically(path, text); !written) return written;
  }
  return {};
}

/// What the record says of the machine.
Result<LadderRecord> head(lab::Lab& lab, const Options& options, const device::DeviceInfo& info) {
  LadderRecord record;
  record.date = today();
  record.seed = options.seed;
  record.device = info.name;
  record.driver = info.driver;
  record.identity = info.identity;
  const auto ceilings = lab.ceilings(options.device);
  if (!ceilings) return ceilings.error();
  record.fp32FlopPerSecond = ceilings->fp32FlopPerSecond;
  record.ceilingOrigin = ceilings->origin;
  return record;
}

std::optional<device::DeviceInfo> infoOf(lab::Lab& lab, const std::string& id) {
  for (const device::DeviceInfo& info : lab.devices()) {
    if (info.id == id) return info;
  }
  return std::nullopt;
}

int measure(const Options& options, LadderRecord record, LadderPlan plan, const LadderTools& tools,
            const std::vector<ProductSize>& sizes) {
  LadderRun run(std::move(plan), tools);
  for (const ProductSize& size : sizes) {
    const std::vector<LadderRow> rows = run.at(size);
    record.rows.insert(record.rows.end(), rows.begin(), rows.end());
    record.compiler = run.compiler();
    record.library = run.library();
    // After each size, so that what was measured stays if the next is cut off.
    if (const Status saved = save(options, record); !saved) return refuse(saved.error().message);
  }
  const TableStyle style = options.markdown ? TableStyle::markdown : TableStyle::text;
  std::fputs(toTables(record, style).c_str(), stdout);
  int status = kDone;
  for (const LadderRow& row : record.rows) {
    if (!row.wrong) continue;
    std::fprintf(stderr, "bench_ladder: WRONG: %s at %s: %s\n", row.kernel.c_str(),
                 toText(row.size).c_str(), row.note.c_str());
    status = kWrong;
  }
  return status;
}

int run(const Options& options) {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return refuse(home.error().message);
  LadderPlan plan;
  plan.device = options.device;
  plan.seed = options.seed;
  plan.quick = options.quick;
  Result<std::vector<Rung>> rungs = rungsOf(home->string(), options.kernels);
  if (!rungs) return refuse(rungs.error().message);
  plan.rungs = std::move(*rungs);
  const auto sets = parseSets(options.sets);
  if (!sets) return refuse(sets.error().message);
  for (const auto& [kernel, tunables] : *sets) {
    if (std::none_of(plan.rungs.begin(), plan.rungs.end(),
                     [&name = kernel](const Rung& rung) { return rung.spec.name == name; }))
      return refuse("--set names " + kernel + ", which is no rung that is measured");
  }
  std::vector<ProductSize> sizes;
  for (const std::string& text : options.sizes) {
    const Result<ProductSize> size = parseSize(text);
    if (!size) return refuse(size.error().message);
    sizes.push_back(*size);
  }
  if (device::cudaCount() == 0) {
    std::puts("bench_ladder: nothing is measured, for no GPU answers here.");
    return kDone;
  }
  Result<std::vector<Rung>> library = references();
  if (!library) std::fprintf(stderr, "No shares of cuBLAS: %s\n", library.error().message.c_str());
  if (library) plan.references = std::move(*library);
  lab::Lab lab({home->string(), cacheFolder().string(), 0});
  const std::optional<device::DeviceInfo> info = infoOf(lab, options.device);
  if (!info) return refuse("there is no " + options.device + " here");
  Result<LadderRecord> record = head(lab, options, *info);
  if (!record) return refuse(record.error().message);
  const LadderTools tools{
      [&](const lab::Experiment& experiment) {
        return lab.run(experiment, [] { return false; }, {});
      },
      [&](const Rung& rung, const ProductSize& size) {
        const auto given = sets->find(rung.spec.name);
        if (given != sets->end()) return Tuned{given->second, "given"};
        Tuned best = bestKnown(rung, size, *info, *home);
        if (options.tuneSeconds <= 0 || best.from == kBestHere) return best;
        search(rung, size, *info, options.tuneSeconds);
        return bestKnown(rung, size, *info, *home);
      },
      [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }};
  return measure(options, std::move(*record), std::move(plan), tools, sizes);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures every rung of the ladder on a GPU, beside cuBLAS");
  Options options;
  addOptions(app, options);
  CLI11_PARSE(app, argc, argv);
  if (options.quick && app.count("--size") == 0) options.sizes = {"1024"};
  return run(options);
}
