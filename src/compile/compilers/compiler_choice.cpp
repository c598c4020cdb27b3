// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/compiler_choice.h"

#include <cstdlib>
#include <utility>

#include "base/toolkit.h"
#include "compile/compilers/compiler_process.h"

namespace tilestep::compile {
namespace {

std::string noCompiler(const std::string& asked) {
  if (asked == "nvrtc") {
    return "NVRTC was requested but is not installed; install the CUDA Toolkit, or choose clang "
           "with TILESTEP_COMPILER=clang";
  }
  if (asked == "clang") {
    return "clang was requested, but no clang on this machine can generate PTX; install clang 14 "
           "or newer, or choose NVRTC with TILESTEP_COMPILER=nvrtc";
  }
  return "there is no compiler for CUDA C++: install clang (14 or newer, with the NVPTX backend), "
         "or the CUDA Toolkit for NVRTC";
}

}  // namespace

Error clangNotAsked(const Error& error) {
  Error told = workError("clang, which is run in addition to NVRTC, failed: " + error.message);
  told.late = error.late;
  return told;
}

Result<Compiler*> OpenedOnce::get(const Open& open) {
  const std::lock_guard lock(mutex_);
  const bool failed = opened_ && !*opened_ && opened_->error().kind == ErrorKind::work;
  if (!opened_ || failed) opened_.emplace(open());
  if (!*opened_) return opened_->error();
  return (*opened_)->get();
}

Result<Compiler*> CompilerChoice::compilerFor(const CompileRequest& request) {
  Result<Compiler*> compiler = usual();
  const bool isAsked = request.asWritten || request.byClang;
  if (!compiler || !isAsked || (*compiler)->name() == "clang") return compiler;
  Result<Compiler*> clang = clangBeside();
  if (clang && *clang == nullptr)
    return requestError(
        request.asWritten
            ? "there is no clang, and only clang compiles a kernel without optimisation"
            : "there is no clang, which is needed to compile whole programs");
  return clang;
}

Result<Compiler*> CompilerChoice::usual() {
  return usual_.get([this] { return openUsual(); });
}

Result<Compiler*> CompilerChoice::clangBeside() {
  Result<Compiler*> clang = clang_.get([this] { return openClangOfHome(); });
  return clang ? clang : clangNotAsked(clang.error());
}

Result<std::unique_ptr<Compiler>> CompilerChoice::openUsual() {
  std::string prefer = options_.prefer;
  const char* variable = std::getenv("TILESTEP_COMPILER");
  if (prefer.empty() && variable) prefer = variable;
  if (!prefer.empty() && prefer != "nvrtc" && prefer != "clang")
    return requestError("TILESTEP_COMPILER is " + prefer + "; it must be nvrtc or clang");
  const Result<bool> hidden = isToolkitHidden();
  if (!hidden) return hidden.error();
  note_ = *hidden ? " (TILESTEP_TOOLKIT=none hides the CUDA Toolkit)" : "";
  Result<std::unique_ptr<Compiler>> opened = std::unique_ptr<Compiler>();
  if (prefer != "clang")
    opened = options_.program.empty() ? openNvrtc() : openNvrtcProcess(options_.program);
  if (opened && !*opened && prefer != "nvrtc") opened = openClangOfHome();
  if (!opened) return opened;
  if (!*opened) return requestError(noCompiler(prefer) + note_);
  if (!options_.program.empty() && !(*opened)->keepsFiles())
    note_ += " (it can read other files, because this system has no Landlock)";
  return opened;
}

Result<std::unique_ptr<Compiler>> CompilerChoice::openClangOfHome() const {
  return openClang(options_.home + "/assets/clang", options_.program);
}

}  // namespace tilestep::compile
