// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/spec.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/library_product.h"
#include "compile/text/function_choice.h"

namespace tilestep::compile {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostSpecBytes = size_t{1} << 20;

bool isToml(const std::string& name) {
  return fs::path(name).extension() == ".toml";
}

/// The functions that launches name explicitly.
std::set<std::string> namedByLaunches(const KernelSpec& spec) {
  std::set<std::string> names;
  for (const LaunchSpec& launch : spec.launches)
    if (!launch.entry.empty()) names.insert(withoutArguments(launch.entry));
  return names;
}

bool allLaunchesNameTheirs(const KernelSpec& spec) {
  return std::ranges::none_of(spec.launches,
                              [](const LaunchSpec& launch) { return launch.entry.empty(); });
}

const KernelHead* meantBy(const std::string& name, const FunctionChoice& choice) {
  const auto at = std::ranges::find_if(
      choice.kernels(), [&](const KernelHead& kernel) { return means(name, kernel); });
  return at == choice.kernels().end() ? nullptr : &*at;
}

/// If the spec launches several functions, the file must contain all of them.
Status checkLaunched(const FunctionChoice& choice, const Spec& spec) {
  const std::set<std::string> names = namedByLaunches(spec.kernel);
  if (names.size() < 2 || !choice.complete()) return {};
  for (const std::string& name : names)
    if (meantBy(name, choice) == nullptr)
      return choice.at(1, spec.front.file + " launches " + name + ", and " + choice.fileHas(name));
  return {};
}

/// The entry to request for `source`; empty if parseKernel() finds the right function without it.
Result<std::string> entryFor(const KernelSource& source, const FunctionChoice& choice,
                             const KernelSpec& spec) {
  if (!source.entry.empty() || choice.kernels().empty() || allLaunchesNameTheirs(spec))
    return source.entry;
  const KernelHead* meant = choice.kernels().size() == 1 ? &choice.kernels().front() : nullptr;
  for (const std::string& name : {withoutArguments(spec.entry), stemOf(source.path)})
    if (meant == nullptr && !name.empty()) meant = meantBy(name, choice);
  if (meant == nullptr && choice.complete())
    return choice.at(choice.kernels().front().line, "this file has several __global__ functions: " +
                                                        listedKernels(choice.kernels()) +
                                                        "; choose one with --entry NAME");
  if (meant == nullptr) return source.entry;
  const bool plain = !meant->isTemplate && !argumentsOf(spec.entry).empty();
  if (choice.kernels().size() == 1 && !plain) return source.entry;
  const bool same = meant->isTemplate && means(withoutArguments(spec.entry), *meant);
  return meant->qualified + (same ? argumentsOf(spec.entry) : "");
}

/// Notes if front matter of the file itself is ignored.
std::vector<Assumption> ignoredIn(const KernelSource& file, const BareText& bare,
                                  const Spec& spec) {
  const std::string what = "front matter", taken = "that of " + spec.front.file + "; ";
  std::vector<Assumption> ignored;
  if (bare.frontMatterLine > 0)
    ignored.push_back({what, taken + "the one here is ignored", bare.frontMatterLine});
  const fs::path beside = fs::path(tomlBeside(file.path)).lexically_normal();
  if (!file.frontMatter.empty() && beside != fs::path(spec.front.file).lexically_normal())
    ignored.push_back({what, taken + beside.string() + " is ignored", 0});
  return ignored;
}

/// Moves errors from the .toml file beside the kernel to the spec's file, which replaces it.
Error inSpec(Error error, const KernelSource& source, const Spec& spec) {
  if (error.where && error.where->file == tomlBeside(source.path))
    error.where->file = spec.front.file;
  return error;
}

}  // namespace

Result<Spec> parseSpec(std::string file, std::string toml) {
  FrontMatter front{std::move(file), std::move(toml)};
  Result<KernelSpec> kernel = parseFrontMatter(front, stemOf(front.file));
  if (!kernel) return kernel.error();
  return Spec{std::move(front), std::move(*kernel)};
}

Result<Spec> specOf(const KernelSource& kernel) {
  Result<KernelSpec> spec = parseKernel(kernel);
  if (!spec) return spec.error();
  if (isLibraryProduct(spec->name))
    return requestError(spec->name + " is a library product, which cannot be replaced by a file");
  Result<FrontMatter> front = findFrontMatter(kernel);
  if (!front) return front.error();
  return Spec{std::move(*front), std::move(*spec)};
}

Result<Spec> readSpec(const std::string& folder, const std::string& nameOrFile,
                      const std::string& own) {
  if (isToml(nameOrFile)) {
    Result<std::string> toml = readTextFile(nameOrFile, kMostSpecBytes);
    if (!toml) return toml.error();
    return parseSpec(nameOrFile, std::move(*toml));
  }
  const Result<KernelSource> kernel = findKernel(folder, nameOrFile, own);
  if (!kernel) return kernel.error();
  return specOf(*kernel);
}

Result<SpecifiedKernel> withSpec(const KernelSource& file, const Spec& spec) {
  const Result<BareText> bare = withoutFrontMatter(file);
  if (!bare) return bare.error();
  SpecifiedKernel kernel;
  kernel.source = {file.path, bare->text, spec.front.toml, file.entry};
  const FunctionChoice choice(kernel.source, stemOf(file.path));
  if (choice.kernels().empty() && choice.complete()) return choice.at(1, choice.fileHas(""));
  if (const Status launched = checkLaunched(choice, spec); !launched) return launched.error();
  Result<std::string> entry = entryFor(kernel.source, choice, spec.kernel);
  if (!entry) return entry.error();
  kernel.source.entry = std::move(*entry);
  Result<KernelSpec> parsed = parseKernel(kernel.source);
  if (!parsed) return inSpec(parsed.error(), kernel.source, spec);
  kernel.spec = std::move(*parsed);
  for (Assumption& one : ignoredIn(file, *bare, spec))
    kernel.spec.assumed.push_back(std::move(one));
  return kernel;
}

}  // namespace tilestep::compile
