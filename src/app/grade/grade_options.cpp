// SPDX-License-Identifier: Apache-2.0
#include "app/grade/grade_options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/options.h"
#include "base/files.h"
#include "base/private_folder.h"
#include "base/process/memory_size.h"

namespace tilestep::app {
namespace {

namespace fs = std::filesystem;

/// The least memory for a compiler.
constexpr uint64_t kLeastShare = uint64_t{512} << 20;

/// Parses "m=17,n=33,TILE_WIDTH=8", or "100" for all sizes.
Result<compile::LaunchChoice> launchOf(const std::string& text, const compile::KernelSpec& kernel) {
  Choice choice;
  size_t from = 0;
  while (from <= text.size()) {
    const size_t comma = std::min(text.find(',', from), text.size());
    std::string piece = text.substr(from, comma - from);
    std::erase(piece, ' ');  // The program itself prints "m = 17, n = 33".
    const std::string name = piece.substr(0, piece.find('='));
    const bool isTunable = std::ranges::find(kernel.tunables, name, &compile::TunableSpec::name) !=
                           kernel.tunables.end();
    (isTunable ? choice.tunables : choice.sizes).push_back(piece);
    from = comma + 1;
  }
  Result<Chosen> chosen = chosenOf(choice, kernel);
  if (!chosen) return chosen.error();
  const Result<compile::Plan> legal =
      compile::plan(kernel, chosen->sizes, chosen->tunables, Limits{});
  if (!legal) return legal.error();
  return compile::LaunchChoice{std::move(chosen->sizes), std::move(chosen->tunables)};
}

/// The teacher's own file must not be overwritten.
Status checkByHand(const GradeOptions& options) {
  if (options.byHand.empty()) return {};
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(options.byHand, failed);
  const auto isSame = [&](const std::string& other) {
    return !other.empty() && path == fs::weakly_canonical(other, failed);
  };
  if (isSame(options.csv.path)) return requestError("--csv and --by-hand name the same file");
  if (isSame(options.junit)) return requestError("--junit and --by-hand name the same file");
  return {};
}

/// A report may replace only an earlier report.
Status checkJunit(const GradeOptions& options) {
  constexpr size_t kMostBytes = size_t{256} << 20, kBeginning = 200;
  if (options.junit.empty()) return {};
  std::error_code failed;
  const fs::path path = fs::weakly_canonical(options.junit, failed);
  if (!options.csv.path.empty() && path == fs::weakly_canonical(options.csv.path, failed))
    return requestError("--csv and --junit name the same file");
  const fs::file_status there = fs::status(path, failed);
  if (!fs::exists(there) || fs::is_character_file(there)) return {};
  if (fs::is_regular_file(there)) {
    const Result<std::string> text = readTextFile(path, kMostBytes);
    const bool isReport = text && text->starts_with("<?xml") &&
                          text->substr(0, kBeginning).find("<testsuites") != std::string::npos;
    if (isReport || (text && text->empty())) return {};
  }
  return requestError(options.junit +
                      " exists and is not a JUnit report; name another file with --junit");
}

/// Compilers need a temporary folder.
Status checkTemporaryFolder(const GradeOptions& options) {
  if (!options.worker.empty()) return {};
  const PrivateFolder folder;
  return folder.path().empty() ? Status(workError(folder.trouble())) : Status();
}

}  // namespace

Status checkOptions(const GradeOptions& options) {
  if (!options.again.empty() && !options.csv.resume)
    return requestError(
        "--again grades a submission of an existing file again: name the file with --csv FILE "
        "--resume");
  if (options.memoryBytes / options.workers < kLeastShare)
    return requestError(memorySizeText(options.memoryBytes) + " is too little for " +
                        std::to_string(options.workers) +
                        " submissions at once; each needs 512 MiB: change --memory or --workers");
  if (const Status byHand = checkByHand(options); !byHand) return byHand;
  if (const Status junit = checkJunit(options); !junit) return junit;
  if (const Status folder = checkTemporaryFolder(options); !folder) return folder;
  return checkCsv(options.csv);
}

Result<grade::Rules> rulesOf(const GradeOptions& options, const compile::Spec& spec) {
  Result<grade::Rules> rules = grade::readRules(spec);
  if (!rules || options.sizes.empty()) return rules;
  rules->launches.clear();
  rules->drawn = 0;
  for (const std::string& text : options.sizes) {
    Result<compile::LaunchChoice> launch = launchOf(text, spec.kernel);
    if (!launch) return launch.error();
    rules->launches.push_back(std::move(*launch));
  }
  return rules;
}

}  // namespace tilestep::app
