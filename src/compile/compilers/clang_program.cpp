// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/clang_program.h"

#include <utility>

#include "compile/compilers/confined_program.h"

namespace tilestep::compile {
namespace {

namespace fs = std::filesystem;

// "sm_75", in clang's notation, for "compute_75".
std::string archName(const std::string& arch) {
  return "sm_" + arch.substr(arch.rfind('_') + 1);
}

// A shuffle may read a variable that only some lanes have set. Without this option, clang assumes
// that every argument has a value, so that all lanes took the branch that sets it.
std::string undefinedArguments(const std::string& version) {
  return version.starts_with("14.") ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis";
}

/// The files that clang needs to start and to compile, on usual systems.
std::vector<fs::path> needsOf(const ClangProgram& program) {
  std::error_code ignored;
  std::vector<fs::path> paths{"/usr/lib", "/usr/lib64", "/usr/local/lib",   "/lib",     "/lib64",
                              "/usr/bin", "/bin",       "/etc/ld.so.cache", "/dev/null"};
  paths.push_back(fs::canonical(program.path, ignored).parent_path().parent_path());
  paths.insert(paths.end(), {"/usr/include", program.resources, program.header.parent_path(),
                             program.wholeHeaders()});
  return paths;
}

}  // namespace

Result<CommandResult> ClangProgram::run(const std::vector<std::string>& words,
                                        const fs::path& folder, const CompileLimits& limits) const {
  ConfinedProgram confined;
  confined.limiter = limiter;
  confined.keepsFiles = keepsFiles;
  confined.readable = needsOf(*this);
  return confined.run(words, folder, limits);
}

fs::path ClangProgram::wholeHeaders() const {
  return header.parent_path().parent_path() / "runtime";
}

std::vector<std::string> ClangProgram::words(const std::string& arch, const fs::path& work) const {
  return {path, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" + archName(arch),
          "-nocudainc", "-nocudalib", "--cuda-path=" + (work / "no-toolkit").string(), "-S", "-O3",
          "-gline-directives-only", "-std=c++17", "-fdeclspec",
          // Like NVRTC, combines a product and the addition that uses it into an fma.
          "-ffp-contract=fast",
          // Like NVRTC, keeps a loop's blocks in source order, so that the PTX can be read from top
          // to bottom. The assembler chooses the order for the GPU.
          "-mllvm", "-disable-block-placement",
          // Lets inline assembly use all instructions of compute capability 7.5, such as ldmatrix,
          // which need a newer PTX version than clang's default.
          "-Xclang", "-target-feature", "-Xclang", "+ptx70", "-fdebug-compilation-dir=.", "-Xclang",
          undefinedArguments(version),
          // Like NVRTC, unrolls loops over a thread's own elements, so that its sums stay in
          // registers, and inlines frequently called functions.
          "-mllvm", "-unroll-threshold=1300", "-mllvm", "-inline-threshold=1000",
          "-Wno-builtin-macro-redefined", "-Wno-register", "-Wno-c++11-narrowing",
          "-Wno-unknown-cuda-version", "-fno-caret-diagnostics", "-fno-color-diagnostics",
          "-ferror-limit=20"};
}

std::vector<std::string> ClangProgram::earlyCodeWords() {
  return {"-Xclang", "-fsanitize=thread", "-Xclang", "-disable-llvm-passes", "-emit-llvm"};
}

std::vector<std::string> ClangProgram::codeWords(const std::string& arch) const {
  return {path, "-x", "ir", "--target=nvptx64-nvidia-cuda", "-S", "-O3", "-Wno-override-module",
          // The target, -ffp-contract=fast and the order of blocks, as in words().
          "-Xclang", "-target-cpu", "-Xclang", archName(arch), "-Xclang", "-target-feature",
          "-Xclang", "+ptx70", "-mllvm", "-nvptx-fma-level=2", "-mllvm",
          "-disable-block-placement"};
}

}  // namespace tilestep::compile
