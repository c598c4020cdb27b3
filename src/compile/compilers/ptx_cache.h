// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/compiler.h"
#include "ptx/assembled.h"

namespace tilestep::compile {

/// Everything that affects a compile, and a name of 32 hexadecimal digits. Two keys may share a
/// name.
struct CacheKey {
  std::string name, text;
};
[[nodiscard]] CacheKey cacheKey(const CompileRequest& request, const Compiler& compiler);

/// The cached result of a compile.
struct CachedPtx {
  std::string ptx;
  std::string log;
  ptx::Assembled assembled;
  double ms = 0;
};

/// One file per compile in a folder; beyond `maxBytes` the least recently used ones are removed. A
/// damaged file, or one of another compile with the same name, counts as absent. Several processes
/// may share the folder.
class PtxCache {
 public:
  static constexpr uint64_t kDefaultMaxBytes = uint64_t{64} << 20;

  /// Nothing is kept if `folder` is empty. The same applies to a folder of another user or one that
  /// others can write to, because its contents would be executed.
  explicit PtxCache(std::filesystem::path folder, uint64_t maxBytes = kDefaultMaxBytes);

  [[nodiscard]] std::optional<CachedPtx> load(const CacheKey& key) const;
  /// Failure to write is not an error.
  void store(const CacheKey& key, const CachedPtx& entry) const;
  [[nodiscard]] std::filesystem::path fileOf(const CacheKey& key) const;

 private:
  void trim() const;

  std::filesystem::path folder_;
  uint64_t maxBytes_;
};

}  // namespace tilestep::compile
