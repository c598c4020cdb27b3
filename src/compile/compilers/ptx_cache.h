// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/compiler.h"
#include "ptx/assembled.h"

namespace tilestep::compile {

/// `text` contains everything that affects a compile. `name` is a hash of 32 hexadecimal digits;
/// different keys may have the same name.
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

/// Stores one file per compile in a folder. Above `maxBytes` in total, removes the least recently
/// used files. A damaged file, or a file of another compile with the same name, counts as absent.
/// Several processes may share the folder.
class PtxCache {
 public:
  static constexpr uint64_t kDefaultMaxBytes = uint64_t{64} << 20;

  /// Nothing is stored if `folder` is empty, belongs to another user or is writable by others,
  /// because its contents would be executed.
  explicit PtxCache(std::filesystem::path folder, uint64_t maxBytes = kDefaultMaxBytes);

  [[nodiscard]] std::optional<CachedPtx> load(const CacheKey& key) const;
  /// Failures are ignored.
  void store(const CacheKey& key, const CachedPtx& entry) const;
  [[nodiscard]] std::filesystem::path fileOf(const CacheKey& key) const;

 private:
  void trim() const;

  std::filesystem::path folder_;
  uint64_t maxBytes_;
};

}  // namespace tilestep::compile
