// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/library_product.h"
#include "compile/front_matter/front_matter.h"
#include "compile/front_matter/library_kernel.h"
#include "compile/kernel.h"
#include "compile/nearest_name.h"

namespace tilestep::compile {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostBytes = size_t{1} << 20;
constexpr const char* kLadder = "ladder";  ///< The one folder inside the kernels' that is searched.

bool endsInCu(const std::string& name) {
  return name.size() > 3 && name.compare(name.size() - 3, 3, ".cu") == 0;
}

// Files in `folder` itself that may be kernels. Hidden ones are editors' leftovers.
void addKernelFiles(const fs::path& folder, std::vector<fs::path>& found) {
  std::error_code failure;
  const size_t before = found.size();
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (name[0] != '.' && endsInCu(name) && at->is_regular_file(ignored)) {
      found.push_back(at->path());
    }
  }
  std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
}

// Those of `folder`, then those of its ladder, each sorted.
std::vector<fs::path> kernelFiles(const fs::path& folder) {
  std::vector<fs::path> found;
  addKernelFiles(folder, found);
  addKernelFiles(folder / kLadder, found);
  return found;
}

// `shown` is how people see the path.
Result<KernelSource> readKernel(const fs::path& path, std::string shown) {
  Result<std::string> text = readTextFile(path, kMostBytes);
  if (!text) return std::move(text).error();
  KernelSource source{std::move(shown), std::move(*text), {}};
  const fs::path beside = tomlBeside(path.string());
  std::error_code ignored;
  if (fs::exists(beside, ignored)) {
    Result<std::string> toml = readTextFile(beside, kMostBytes);
    if (!toml) return std::move(toml).error();
    source.frontMatter = toml->empty() ? "\n" : std::move(*toml);  // An empty file is refused.
  }
  return source;
}

std::string shownPath(const fs::path& folder, const fs::path& file) {
  fs::path name = folder.filename();
  if (name.empty()) name = folder.parent_path().filename();  // "kernels/"
  if (file.parent_path().filename() == kLadder) name /= kLadder;
  return (name / file.filename()).string();
}

CatalogueEntry entryOf(const fs::path& folder, const fs::path& file) {
  CatalogueEntry entry;
  entry.source.path = shownPath(folder, file);
  Result<KernelSource> source = readKernel(file, entry.source.path);
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

Error unknownKernel(const fs::path& folder, const std::string& name) {
  std::vector<std::string> names;
  for (const fs::path& file : kernelFiles(folder)) names.push_back(file.stem().string());
  const std::string missing = endsInCu(name)
                                  ? "there is no file " + name + " here or in the kernels' folder"
                                  : "there is no kernel '" + name + "'";
  const std::string own = name + ".cu";
  std::error_code ignored;
  if (fs::is_regular_file(own, ignored))
    return requestError(missing + "; for the file of that name write " + own);
  if (names.empty()) return requestError(missing + "; " + folder.string() + " holds no .cu file");
  return requestError(missing + "; the nearest kernel is " + nearestName(name, names));
}

}  // namespace

std::vector<CatalogueEntry> readCatalogue(const std::string& folder) {
  std::vector<CatalogueEntry> entries;
  for (const fs::path& file : kernelFiles(folder)) entries.push_back(entryOf(folder, file));
  return entries;
}

Result<KernelSource> findKernel(const std::string& folder, const std::string& nameOrPath) {
  if (nameOrPath.starts_with(kLibraryPrefix)) return libraryKernel(nameOrPath);
  const bool path = nameOrPath.find('/') != std::string::npos;
  std::error_code ignored;
  const bool named = endsInCu(nameOrPath) || fs::path(nameOrPath).has_extension();
  if (path || (named && fs::exists(nameOrPath, ignored))) {
    if (!endsInCu(nameOrPath)) {
      return requestError(nameOrPath + " is no kernel file; a kernel is a file that ends in .cu" +
                          (nameOrPath.ends_with(".toml") ? ", and its .toml is read with it" : ""));
    }
    return readKernel(nameOrPath, nameOrPath);
  }
  const std::string name = endsInCu(nameOrPath) ? nameOrPath : nameOrPath + ".cu";
  fs::path file = fs::path(folder) / name;
  if (!fs::is_regular_file(file, ignored)) file = fs::path(folder) / kLadder / name;
  if (nameOrPath.empty() || !fs::is_regular_file(file, ignored)) {
    return unknownKernel(folder, nameOrPath);
  }
  return readKernel(file, shownPath(folder, file));
}

}  // namespace tilestep::compile
