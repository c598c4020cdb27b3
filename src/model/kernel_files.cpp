// SPDX-License-Identifier: Apache-2.0
#include "model/kernel_files.h"

#include <algorithm>
#include <utility>

#include "base/files.h"
#include "compile/front_matter/entry_choice.h"
#include "compile/front_matter/front_matter.h"

namespace tilestep::model {
namespace {

constexpr size_t kMostBytes = size_t{1} << 20;

/// Names and modification times of a folder's files. Changes when a file is added, saved or
/// removed.
std::string signatureOf(const std::filesystem::path& folder) {
  std::string signature;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    std::error_code gone;
    const auto time = at->last_write_time(gone).time_since_epoch().count();
    signature += at->path().filename().string() + "@" + std::to_string(time) + ";";
  }
  return signature;
}

void parse(compile::CatalogueEntry& entry) {
  entry.spec.reset();
  entry.error.reset();
  Result<compile::KernelSpec> spec = compile::parseKernel(entry.source);
  if (spec)
    entry.spec = std::move(*spec);
  else
    entry.error = spec.error();
}

/// Selects the function of the file to launch. A function that no longer exists is ignored.
void useEntry(Catalogue& catalogue, const std::string& kernel, const std::string& function) {
  const auto entry = std::find_if(catalogue.rbegin(), catalogue.rend(), [&](const auto& one) {
    return compile::nameOf(one.source) == kernel;
  });
  const bool isKernel = entry != catalogue.rend() && entry->source.launch == nullptr;
  if (!isKernel || entry->source.text.empty()) return;
  compile::CatalogueEntry chosen = *entry;
  chosen.source = compile::withEntry(std::move(chosen.source), function);
  parse(chosen);
  if (chosen.spec || !entry->spec) *entry = std::move(chosen);
}

/// A kernel with a separate spec. If it cannot be made, the entry has the error and the unchanged
/// source.
compile::CatalogueEntry entryOf(const KernelUnderSpec& kernel) {
  compile::CatalogueEntry entry;
  entry.source.path = kernel.path.string();
  const Result<std::string> text =
      kernel.text ? Result<std::string>(*kernel.text) : readTextFile(kernel.path, kMostBytes);
  if (!text) {
    entry.error = text.error();
    return entry;
  }
  entry.source.text = *text;
  Result<compile::SpecifiedKernel> specified = compile::withSpec(entry.source, kernel.spec);
  if (!specified) {
    entry.error = specified.error();
    return entry;
  }
  entry.source = std::move(specified->source);
  entry.spec = std::move(specified->spec);
  return entry;
}

std::string timeOf(const std::filesystem::path& path) {
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(path, failed);
  return failed ? "gone;" : std::to_string(time.time_since_epoch().count()) + ";";
}

}  // namespace

KernelFiles::KernelFiles(const std::string& home, std::string ownFolder)
    : folder_((std::filesystem::path(home) / "kernels").string()), own_(std::move(ownFolder)) {}

Result<compile::KernelSource> KernelFiles::find(const std::string& nameOrPath) const {
  return compile::findKernel(folder_, nameOrPath, own_);
}

std::string KernelFiles::add(const std::string& nameOrPath) {
  const std::filesystem::path path = nameOrPath;
  if (path.extension() != ".cu") return nameOrPath;
  std::string name = path.stem().string();
  std::erase_if(extra_, [&](const auto& one) { return one.stem() == name; });
  extra_.push_back(path);
  return name;
}

void KernelFiles::add(KernelUnderSpec kernel) {
  std::erase_if(underSpecs_,
                [&](const auto& one) { return one.path.stem() == kernel.path.stem(); });
  underSpecs_.push_back(std::move(kernel));
}

void KernelFiles::addLaunch(compile::CatalogueEntry launch) {
  std::erase_if(launches_, [&](const compile::CatalogueEntry& one) {
    return compile::nameOf(one.source) == compile::nameOf(launch.source);
  });
  launches_.push_back(std::move(launch));
}

void KernelFiles::removeLaunches(const std::string& path, const std::string& butFor) {
  std::erase_if(launches_, [&](const compile::CatalogueEntry& one) {
    return one.source.path == path && compile::nameOf(one.source) != butFor;
  });
}

void KernelFiles::read(const std::map<std::string, std::string>& functions) {
  signature_ = signatureNow();
  auto catalogue = std::make_shared<Catalogue>(compile::readCatalogue(folder_, own_));
  hidden_ = compile::hiddenKernels(folder_, own_);
  sameNames_.clear();
  for (const std::filesystem::path& path : extra_) {
    compile::CatalogueEntry entry;
    Result<compile::KernelSource> source = find(path.string());
    if (differsFromShipped(path, source)) {
      sameNames_.push_back(path);
      if (prefersShipped_) continue;
    }
    if (source) {
      entry.source = std::move(*source);
      parse(entry);
    } else {
      entry.source.path = path.string();
      entry.error = source.error();
    }
    catalogue->push_back(std::move(entry));
  }
  for (const KernelUnderSpec& kernel : underSpecs_) catalogue->push_back(entryOf(kernel));
  catalogue->insert(catalogue->end(), launches_.begin(), launches_.end());
  for (const auto& [kernel, function] : functions) useEntry(*catalogue, kernel, function);
  catalogue_ = std::move(catalogue);
}

bool KernelFiles::differsFromShipped(const std::filesystem::path& path,
                                     const Result<compile::KernelSource>& source) const {
  const Result<compile::KernelSource> shipped = compile::findKernel(folder_, path.stem(), {});
  if (!shipped) return false;
  return !source || source->text != shipped->text || source->frontMatter != shipped->frontMatter;
}

std::string KernelFiles::fileOf(const std::string& kernel) const {
  for (const std::filesystem::path& path : extra_)
    if (path.stem() == kernel) return wholePath(path);
  return {};
}

std::string KernelFiles::signatureNow() const {
  std::string signature;
  for (const std::string& folder : compile::kernelFolders(folder_, own_))
    signature += signatureOf(folder);
  for (const std::filesystem::path& path : extra_) signature += timeOf(path);
  for (const KernelUnderSpec& kernel : underSpecs_)
    if (!kernel.text) signature += timeOf(kernel.path);
  return signature;
}

std::string wholePath(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed);
  return failed ? path.string() : whole.string();
}

}  // namespace tilestep::model
