// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "compile/compiler.h"

namespace tilestep::compile {

/// A compiler that is opened at its first use. Thread-safe.
class OpenedOnce {
 public:
  using Open = std::function<Result<std::unique_ptr<Compiler>>()>;

  /// Calls `open` at the first use and returns its result. After a work error, which may be
  /// temporary, the next call calls `open` again.
  Result<Compiler*> get(const Open& open);

 private:
  std::mutex mutex_;
  std::optional<Result<std::unique_ptr<Compiler>>> opened_;
};

/// The compilers of this machine. If an installed compiler cannot be opened, this is an error, and
/// no other compiler is used instead, so that a shortage does not change the choice. Thread-safe.
class CompilerChoice {
 public:
  explicit CompilerChoice(CompileService::Options options) : options_(std::move(options)) {}

  /// Clang for requests with `asWritten` or `byClang`, otherwise usual(). Never null.
  [[nodiscard]] Result<Compiler*> compilerFor(const CompileRequest& request);

  /// The compiler for all other requests. Never null.
  [[nodiscard]] Result<Compiler*> usual();

  /// Clang, for sources that NVRTC rejects; null if it is not installed.
  [[nodiscard]] Result<Compiler*> clangBeside();

  /// Set by the first call of usual(): notes, in parentheses, that the toolkit is hidden or that
  /// the compiler can read other files. Otherwise empty.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  Result<std::unique_ptr<Compiler>> openUsual();
  [[nodiscard]] Result<std::unique_ptr<Compiler>> openClangOfHome() const;

  CompileService::Options options_;
  OpenedOnce usual_, clang_;
  std::string note_;
};

/// The error if clang is installed but could not be used in addition to NVRTC, because of `error`.
[[nodiscard]] Error clangNotAsked(const Error& error);

}  // namespace tilestep::compile
