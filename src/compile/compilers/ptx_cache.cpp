// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/ptx_cache.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/hash.h"
#include "base/number_text.h"

namespace tilestep::compile {
namespace fs = std::filesystem;
namespace {

// Increase this number when the processing of PTX changes, so that old files are ignored.
constexpr std::string_view kForm = "tilestep-ptx 9";
constexpr std::string_view kEnding = ".ptxcache";

// The first line contains kForm and a hash of the rest. The second line contains the milliseconds,
// the lengths of key and log, and the number of assembled functions. One line for each assembled
// function follows, then the key, the log and the PTX.
std::string written(const CacheKey& key, const CachedPtx& entry) {
  std::string rest = std::to_string(entry.ms) + " " + std::to_string(key.text.size()) + " " +
                     std::to_string(entry.log.size()) + " " +
                     std::to_string(entry.assembled.size()) + "\n";
  for (const auto& [name, function] : entry.assembled)
    rest += std::to_string(function.registers) + " " + std::to_string(function.stackBytes) + " " +
            name + "\n";
  rest += key.text + entry.log + entry.ptx;
  return std::string(kForm) + " " + hex64(fnv1a64(rest)) + "\n" + rest;
}

// Reads the line of an assembled function at `at` and moves `at` past it.
bool readAssembled(const std::string& text, size_t& at, ptx::Assembled& assembled) {
  const size_t end = text.find('\n', at);
  if (end == std::string::npos) return false;
  const std::string_view line = std::string_view(text).substr(at, end - at);
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return false;
  const auto registers = numberIn<uint32_t>(line.substr(0, first));
  const auto stackBytes = numberIn<uint32_t>(line.substr(first + 1, second - first - 1));
  if (!registers || !stackBytes) return false;
  assembled[std::string(line.substr(second + 1))] = {*registers, *stackBytes};
  at = end + 1;
  return true;
}

// Nullopt if `text` is damaged, or belongs to another compile whose key has the same name.
std::optional<CachedPtx> read(const CacheKey& key, const std::string& text) {
  const size_t first = text.find('\n');
  if (first == std::string::npos) return std::nullopt;
  const std::string rest = text.substr(first + 1);
  if (text.substr(0, first) != std::string(kForm) + " " + hex64(fnv1a64(rest))) return std::nullopt;
  CachedPtx entry;
  size_t keySize = 0, logSize = 0, functions = 0;
  int begin = 0;
  if (std::sscanf(rest.c_str(), "%lf %zu %zu %zu%n", &entry.ms, &keySize, &logSize, &functions,
                  &begin) != 4)
    return std::nullopt;
  size_t at = static_cast<size_t>(begin) + 1;
  for (size_t i = 0; i < functions; ++i)
    if (!readAssembled(rest, at, entry.assembled)) return std::nullopt;
  if (at > rest.size() || keySize > rest.size() - at || logSize > rest.size() - at - keySize)
    return std::nullopt;
  if (std::string_view(rest).substr(at, keySize) != key.text) return std::nullopt;
  entry.log = rest.substr(at + keySize, logSize);
  entry.ptx = rest.substr(at + keySize + logSize);
  return entry;
}

void addText(std::string& all, const std::string& text) {
  all += std::to_string(text.size()) + ":" + text + ";";
}

struct CacheFile {
  fs::path path;
  fs::file_time_type used;
  uint64_t bytes = 0;
};

std::vector<CacheFile> filesIn(const fs::path& folder) {
  std::vector<CacheFile> found;
  std::error_code failure, ignored;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().extension() != kEnding || !at->is_regular_file(ignored)) continue;
    const uintmax_t bytes = at->file_size(ignored);
    if (!ignored) found.push_back({at->path(), at->last_write_time(ignored), bytes});
  }
  return found;
}

}  // namespace

CacheKey cacheKey(const CompileRequest& request, const Compiler& compiler) {
  std::string all;
  addText(all, std::string(kForm));
  addText(all, compiler.name());
  addText(all, compiler.version());
  addText(all, compiler.fingerprint());
  addText(all, request.arch);
  addText(all, request.relocatable ? "relocatable" : "whole");
  addText(all, "for blocks of " + std::to_string(request.blockThreads));
  if (request.asWritten) addText(all, "loads in place");
  if (request.wholeProgram) addText(all, "whole program");
  for (const auto& [name, value] : request.tunables)
    addText(all, name + "=" + std::to_string(value));
  for (const std::string& instance : request.instances) addText(all, "instance " + instance);
  addText(all, request.source.path);  // The PTX contains it in a .file directive.
  addText(all, request.source.text);
  addText(all, request.source.entry);  // It determines the names of instances, like front matter.
  addText(all, request.source.frontMatter);
  std::string name = hex64(fnv1a64(all)) + hex64(fnv1a64(all, splitmix64(all.size())));
  return {std::move(name), std::move(all)};
}

PtxCache::PtxCache(fs::path folder, uint64_t maxBytes)
    : folder_(std::move(folder)), maxBytes_(maxBytes) {
  if (!folder_.empty() && !makeOwnFolder(folder_)) folder_.clear();
}

fs::path PtxCache::fileOf(const CacheKey& key) const {
  return folder_ / (key.name + std::string(kEnding));
}

std::optional<CachedPtx> PtxCache::load(const CacheKey& key) const {
  if (folder_.empty()) return std::nullopt;
  const auto text = readTextFile(fileOf(key), size_t{64} << 20);
  if (!text) return std::nullopt;
  std::optional<CachedPtx> entry = read(key, *text);
  std::error_code ignored;
  if (entry) fs::last_write_time(fileOf(key), fs::file_time_type::clock::now(), ignored);
  return entry;
}

void PtxCache::store(const CacheKey& key, const CachedPtx& entry) const {
  if (folder_.empty()) return;
  if (replaceFile(fileOf(key), written(key, entry))) trim();
}

void PtxCache::trim() const {
  std::vector<CacheFile> files = filesIn(folder_);
  uint64_t total = 0;
  for (const CacheFile& file : files) total += file.bytes;
  if (total <= maxBytes_) return;
  std::sort(files.begin(), files.end(),
            [](const CacheFile& a, const CacheFile& b) { return a.used < b.used; });
  std::error_code ignored;
  for (const CacheFile& file : files) {
    if (total <= maxBytes_) return;
    fs::remove(file.path, ignored);
    total -= file.bytes;
  }
}

}  // namespace tilestep::compile
