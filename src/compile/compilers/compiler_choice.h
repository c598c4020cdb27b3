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

  /// The first result of `open`. If that was an error of the machine, which may be temporary,
  /// `open` is called again.
  Result<Compiler*> get(const Open& open);

 private:
  std::mutex mutex_;
  std::optional<Result<std::unique_ptr<Compiler>>> opened_;
};

/// The compilers of this machine. A temporary shortage must not change the choice of a compiler: if
/// one is installed but cannot be opened, that is an error, and no other one is used instead.
/// Thread-safe.
class CompilerChoice {
 public:
  explicit CompilerChoice(CompileService::Options options) : options_(std::move(options)) {}

  /// The compiler for this request: clang for an `asWritten` request, otherwise the usual one.
  /// Never null.
  [[nodiscard]] Result<Compiler*> compilerFor(const CompileRequest& request);

  /// The compiler for requests that specify none. Never null.
  [[nodiscard]] Result<Compiler*> usual();

  /// clang, for sources that NVRTC rejects; null if it is not installed.
  [[nodiscard]] Result<Compiler*> clangBeside();

  /// A note on usual() after its first use: that the toolkit is hidden, or that this system cannot
  /// deny it access to other files. Otherwise empty.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  Result<std::unique_ptr<Compiler>> openUsual();
  [[nodiscard]] Result<std::unique_ptr<Compiler>> openClangOfHome() const;

  CompileService::Options options_;
  OpenedOnce usual_, clang_;
  std::string note_;
};

/// The error that clang is installed but could not be used beside NVRTC, because of `error`.
[[nodiscard]] Error clangNotAsked(const Error& error);

}  // namespace tilestep::compile
