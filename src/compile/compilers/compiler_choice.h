// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "compile/compiler.h"

namespace tilestep::compile {

/// A compiler that is opened when it is first asked for. Thread-safe.
class OpenedOnce {
 public:
  using Open = std::function<Result<std::unique_ptr<Compiler>>()>;

  /// The first result of `open`; if that was an error of the machine, which may be over,
  /// `open` is asked again.
  Result<Compiler*> get(const Open& open);

 private:
  std::mutex mutex_;
  std::optional<Result<std::unique_ptr<Compiler>>> opened_;
};

/// The compilers of this machine. Which one is used must not depend on what the machine is short of
/// for a moment: one that is here and cannot be opened is an error, and no reason to take another.
/// Thread-safe.
class CompilerChoice {
 public:
  explicit CompilerChoice(CompileService::Options options) : options_(std::move(options)) {}

  /// For this request: clang for one "as it is written", else the usual one. Never null.
  [[nodiscard]] Result<Compiler*> compilerFor(const CompileRequest& request);

  /// The one that compiles what asks for none. Never null.
  [[nodiscard]] Result<Compiler*> usual();

  /// clang, for what NVRTC does not take; null where it is not here.
  [[nodiscard]] Result<Compiler*> clangBeside();

  /// A note on usual() after it was given: that the toolkit is hidden, or that
  /// this system cannot keep other files from it. Else empty.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  Result<std::unique_ptr<Compiler>> openUsual();
  [[nodiscard]] Result<std::unique_ptr<Compiler>> openClangOfHome() const;

  CompileService::Options options_;
  OpenedOnce usual_, clang_;
  std::string note_;
};

/// The error that clang is here and could not be asked beside NVRTC, for the reason `error`.
[[nodiscard]] Error clangNotAsked(const Error& error);

}  // namespace tilestep::compile
