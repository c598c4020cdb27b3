// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/compiler.h"
#include "ptx/assembled.h"

namespace tilestep::compile {

/// All that decides a compile, and its name, 32 hexadecimal digits. Two compiles may have one name.
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

/// One file a compile in a folder, the least recently used removed beyond `maxBytes`. A file that
/// is damaged counts as absent, and so does one of another compile with the same name. Several
/// processes may share the folder.
class PtxCache {
 public:
  static constexpr uint64_t kDefaultMaxBytes = uint64_t{64} << 20;

  /// An empty folder: nothing is kept. The same for one that belongs to somebody else, or that
  /// others may write to: what they put there would run.
  explicit PtxCache(std::filesystem::path folder, uint64_t maxBytes = kDefaultMaxBytes);

  [[nodiscard]] std::optional<CachedPtx> load(const CacheKey& key) const;
  /// A cache that cannot be written is no error.
  void store(const CacheKey& key, const CachedPtx& entry) const;
  [[nodiscard]] std::filesystem::path fileOf(const CacheKey& key) const;

 private:
  void trim() const;

  std::filesystem::path folder_;
  uint64_t maxBytes_;
};

}  // namespace tilestep::compile
