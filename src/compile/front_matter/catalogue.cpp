// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/library_product.h"
#include "base/nearest_name.h"
#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/library_kernel.h"
#include "compile/kernel.h"
#include "compile/text/plain_lines.h"

namespace tilestep::compile {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostFileBytes = size_t{1} << 20;
constexpr const char* kLadder = "ladder";  ///< The only subfolder that is searched.
constexpr size_t kShippedFolders = 2;      ///< The first ones of kernelFolders().

bool endsInCu(const std::string& name) {
  return name.size() > 3 && name.compare(name.size() - 3, 3, ".cu") == 0;
}

// The files directly in `folder` that may be kernels, sorted. Skips hidden files (of editors).
std::vector<fs::path> kernelFilesIn(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (name[0] != '.' && endsInCu(name) && at->is_regular_file(ignored)) {
      found.push_back(at->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string shownPath(const fs::path& folder, const fs::path& file) {
  fs::path name = folder.filename();
  if (name.empty()) name = folder.parent_path().filename();  // "kernels/"
  if (file.parent_path().filename() == kLadder) name /= kLadder;
  return (name / file.filename()).string();
}

// A kernel's file and its displayed path.
struct KernelFile {
  fs::path path;
  std::string shown;
};

struct KernelFiles {
  std::vector<KernelFile> used, hidden;
};

KernelFiles kernelFiles(const std::string& folder, const std::string& own) {
  KernelFiles files;
  std::set<std::string> shippedNames;
  const std::vector<std::string> places = kernelFolders(folder, own);
  for (size_t i = 0; i < places.size(); ++i) {
    const bool shipped = i < kShippedFolders;
    for (const fs::path& path : kernelFilesIn(places[i])) {
      const std::string name = path.stem().string();
      if (shipped) shippedNames.insert(name);
      const bool hidden = !shipped && shippedNames.contains(name);
      (hidden ? files.hidden : files.used)
          .push_back({path, shipped ? shownPath(folder, path) : path.string()});
    }
  }
  return files;
}

// `shown` is the displayed path.
Result<KernelSource> readKernel(const fs::path& path, std::string shown) {
  Result<std::string> text = readTextFile(path, kMostFileBytes);
  if (!text) return std::move(text).error();
  KernelSource source{std::move(shown), withPlainLines(*text), {}};
  const fs::path beside = tomlBeside(path.string());
  std::error_code ignored;
  if (fs::exists(beside, ignored)) {
    Result<std::string> toml = readTextFile(beside, kMostFileBytes);
    if (!toml) return std::move(toml).error();
    source.frontMatter = toml->empty() ? "\n" : std::move(*toml);  // An empty file is an error.
  }
  return source;
}

CatalogueEntry entryOf(const KernelFile& file) {
  CatalogueEntry entry;
  entry.source.path = file.shown;
  Result<KernelSource> source = readKernel(file.path, file.shown);
  if (!source) {
    entry.error = source.error();
    return entry;
  }
  entry.source = std::move(*source);
  Result<KernelSpec> spec = parseKernel(entry.source);
  if (spec) {
    entry.spec = std::move(*spec);
  } else {
    entry.error = spec.error();
  }
  return entry;
}

Error unknownKernel(const std::string& folder, const std::string& own, const std::string& name) {
  std::vector<std::string> names;
  for (const KernelFile& file : kernelFiles(folder, own).used)
    names.push_back(file.path.stem().string());
  const std::string missing =
      endsInCu(name) ? "there is no file " + name + " in this folder or the kernels' folder"
                     : "there is no kernel '" + name + "'";
  const std::string here = name + ".cu";
  std::error_code ignored;
  if (fs::is_regular_file(here, ignored))
    return requestError(missing + "; to use the file with this name, write " + here);
  if (names.empty()) return requestError(missing + "; " + folder + " contains no .cu file");
  return requestError(missing + "; the nearest kernel is " + nearestName(name, names));
}

}  // namespace

std::vector<std::string> kernelFolders(const std::string& folder, const std::string& own) {
  std::vector<std::string> folders{folder, (fs::path(folder) / kLadder).string()};
  std::error_code ignored;
  if (!own.empty() && !fs::equivalent(own, folder, ignored)) folders.push_back(own);
  return folders;
}

std::vector<CatalogueEntry> readCatalogue(const std::string& folder, const std::string& own) {
  std::vector<CatalogueEntry> entries;
  for (const KernelFile& file : kernelFiles(folder, own).used) entries.push_back(entryOf(file));
  return entries;
}

std::vector<CatalogueEntry> hiddenKernels(const std::string& folder, const std::string& own) {
  std::vector<CatalogueEntry> entries;
  for (const KernelFile& file : kernelFiles(folder, own).hidden) {
    CatalogueEntry& entry = entries.emplace_back();
    entry.source.path = file.shown;
    entry.error = requestError(file.shown + " is not used, because a kernel called " +
                               file.path.stem().string() +
                               " comes with Tilestep; rename the file and its function");
  }
  return entries;
}

Result<KernelSource> findKernel(const std::string& folder, const std::string& nameOrPath,
                                const std::string& own) {
  if (nameOrPath.starts_with(kLibraryPrefix)) return libraryKernel(nameOrPath);
  const bool path = nameOrPath.find('/') != std::string::npos;
  std::error_code ignored;
  const bool named = endsInCu(nameOrPath) || fs::path(nameOrPath).has_extension();
  if (path || (named && fs::exists(nameOrPath, ignored))) {
    if (!endsInCu(nameOrPath)) {
      return requestError(nameOrPath +
                          " is not a kernel file; the name of a kernel file ends in .cu" +
                          (nameOrPath.ends_with(".toml") ? ", and its .toml is read with it" : ""));
    }
    return readKernel(nameOrPath, nameOrPath);
  }
  const std::string name = endsInCu(nameOrPath) ? nameOrPath : nameOrPath + ".cu";
  for (const KernelFile& file : kernelFiles(folder, own).used) {
    if (file.path.filename() == name) return readKernel(file.path, file.shown);
  }
  return unknownKernel(folder, own, nameOrPath);
}

}  // namespace tilestep::compile
