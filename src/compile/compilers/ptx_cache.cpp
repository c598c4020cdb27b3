// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/ptx_cache.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/files.h"
#include "base/hash.h"

namespace tilestep::compile {
namespace fs = std::filesystem;
namespace {

// Change it when what is done to a compiler's PTX changes: old files are then no longer found.
constexpr std::string_view kForm = "tilestep-ptx 3";
constexpr std::string_view kEnding = ".ptxcache";

// First line: form, hash of the rest. Second: milliseconds, log's length. Then log and PTX.
std::string written(const CachedPtx& entry) {
  const std::string rest = std::to_string(entry.ms) + " " + std::to_string(entry.log.size()) +
                           "\n" + entry.log + entry.ptx;
  return std::string(kForm) + " " + hex64(fnv1a64(rest)) + "\n" + rest;
}

std::optional<CachedPtx> read(const std::string& text) {
  const size_t first = text.find('\n');
  if (first == std::string::npos) return std::nullopt;
  const std::string rest = text.substr(first + 1);
  if (text.substr(0, first) != std::string(kForm) + " " + hex64(fnv1a64(rest))) return std::nullopt;
  const size_t second = rest.find('\n');
  const size_t space = rest.find(' ');
  if (second == std::string::npos || space > second) return std::nullopt;
  CachedPtx entry;
  entry.ms = std::strtod(rest.c_str(), nullptr);
  const size_t logSize = std::strtoull(rest.c_str() + space, nullptr, 10);
  if (logSize > rest.size() - second - 1) return std::nullopt;
  entry.log = rest.substr(second + 1, logSize);
  entry.ptx = rest.substr(second + 1 + logSize);
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

std::string cacheKey(const CompileRequest& request, const Compiler& compiler) {
  std::string all;
  addText(all, std::string(kForm));
  addText(all, compiler.name());
  addText(all, compiler.version());
  addText(all, compiler.fingerprint());
  addText(all, request.arch);
  addText(all, request.relocatable ? "relocatable" : "whole");
  for (const auto& [name, value] : request.tunables)
    addText(all, name + "=" + std::to_string(value));
  for (const std::string& instance : request.instances) addText(all, "instance " + instance);
  addText(all, request.source.path);  // It is in the PTX's .file.
  addText(all, request.source.text);
  addText(all, request.source.entry);  // This and front matter name the instances' functions.
  addText(all, request.source.frontMatter);
  return hex64(fnv1a64(all)) + hex64(fnv1a64(all, splitmix64(all.size())));
}

PtxCache::PtxCache(fs::path folder, uint64_t maxBytes)
    : folder_(std::move(folder)), maxBytes_(maxBytes) {}

fs::path PtxCache::fileOf(const std::string& key) const {
  return folder_ / (key + std::string(kEnding));
}

std::optional<CachedPtx> PtxCache::load(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const auto text = readTextFile(fileOf(key), size_t{64} << 20);
  if (!text) return std::nullopt;
  std::optional<CachedPtx> entry = read(*text);
  std::error_code ignored;
  if (entry) fs::last_write_time(fileOf(key), fs::file_time_type::clock::now(), ignored);
  return entry;
}

void PtxCache::store(const std::string& key, const CachedPtx& entry) const {
  if (folder_.empty()) return;
  if (writeFileAtomically(fileOf(key), written(entry))) trim();
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
