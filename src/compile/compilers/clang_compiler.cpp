// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/private_folder.h"
#include "base/run_command.h"
#include "compile/compiler.h"
#include "compile/compilers/clang_output.h"
#include "compile/compilers/compiler_log.h"

namespace tilestep::compile {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr int kOldest = 14;
constexpr int kNewest = 30;
constexpr milliseconds kTimeout{60000};
constexpr std::string_view kHeader = "cuda_subset.h";

// "compute_75" as clang says it.
std::string archOption(const std::string& arch) {
  return "--cuda-gpu-arch=sm_" + arch.substr(arch.rfind('_') + 1);
}

// What every clang from 14 on takes, with no CUDA Toolkit and without looking for one.
std::vector<std::string> baseOptions(const std::string& compiler, const std::string& arch,
                                     const fs::path& work) {
  return {compiler, "-x", "cuda", "--cuda-device-only", archOption(arch), "-nocudainc",
          "-nocudalib", "--cuda-path=" + (work / "no-toolkit").string(), "-S", "-O3",
          "-gline-directives-only", "-std=c++17", "-fdeclspec",
          // As NVRTC does: a product and the sum that takes it become one fma.
          "-ffp-contract=fast",
          // A loop's blocks stay in their order, the first one first, as NVRTC has them, so that
          // PTX is read from top to bottom. The assembler orders blocks for the GPU by itself.
          "-mllvm", "-disable-block-placement",
          // Assembly in a kernel may use all that compute capability 7.5 has, ldmatrix for
          // instance: more than clang's oldest PTX.
          "-Xclang", "-target-feature", "-Xclang", "+ptx70", "-fdebug-compilation-dir=.",
          // As far as NVRTC goes: loops over a thread's own elements are unrolled, so that its sums
          // stay in registers, and functions that are called often are inlined.
          "-mllvm", "-unroll-threshold=1300", "-mllvm", "-inline-threshold=1000",
          "-Wno-unknown-cuda-version", "-fno-caret-diagnostics", "-fno-color-diagnostics",
          "-ferror-limit=20"};
}

std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

// Host data that no device code is made of, for which a template's instances are.
std::string uses(const std::vector<std::string>& instances) {
  std::string text;
  for (size_t i = 0; i < instances.size(); ++i) {
    text += "\nvoid* tilestepInstance" + std::to_string(i) + " = (void*)&" + instances[i] + ";\n";
  }
  return text;
}

// A hash of all our headers that does not depend on the folder's order.
std::string hashOf(const fs::path& folder) {
  uint64_t all = 0;
  std::error_code failure;
  for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (const auto text = readTextFile(at->path())) all += fnv1a64(*text);
  }
  return hex64(all);
}

class Clang final : public Compiler {
 public:
  Clang(std::string compiler, std::string version, fs::path header)
      : compiler_(std::move(compiler)),
        version_(std::move(version)),
        header_(std::move(header)),
        fingerprint_(hashOf(header_.parent_path())) {}

  std::string name() const override { return "clang"; }
  std::string version() const override { return version_; }
  std::string fingerprint() const override { return fingerprint_; }

  Result<std::string> compile(const CompileRequest& request, std::string& log) override {
    const PrivateFolder folder;
    if (folder.path().empty()) return workError("no temporary folder can be made for clang");
    const fs::path source = folder.path() / "kernel.cu";
    const fs::path ptx = folder.path() / "kernel.ptx";
    // #line makes errors and .loc name the kernel's own file.
    const std::string lined = "#line 1 \"" + escaped(request.source.path) + "\"\n" +
                              request.source.text + uses(request.instances);
    if (Status written = writeFileAtomically(source, lined); !written) return written.error();
    auto ran = runCommand(command(request, folder.path(), source, ptx), kTimeout);
    if (!ran) return ran.error();
    log = std::move(ran->output);
    if (ran->timedOut) {
      return workError("clang needs more than " + std::to_string(kTimeout.count() / 1000) +
                       " s for " + request.source.path + "; it was stopped");
    }
    if (ran->exitStatus != 0) {
      Error error = compileError(log, request.source, "clang " + version_,
                                 "it ended with status " + std::to_string(ran->exitStatus));
      return placedInstance(withRemedy(std::move(error), log, header_.parent_path().string()),
                            request);
    }
    Result<std::string> text = readTextFile(ptx, size_t{64} << 20);
    if (!text) return text.error();
    return withMaskedRotations(std::move(*text));
  }

 private:
  std::vector<std::string> command(const CompileRequest& request, const fs::path& folder,
                                   const fs::path& source, const fs::path& ptx) const {
    std::vector<std::string> words = baseOptions(compiler_, request.arch, folder);
    words.insert(words.end(), {"-include", header_.string(), "-isystem",
                               (header_.parent_path() / "include").string()});
    if (request.relocatable) words.emplace_back("-fgpu-rdc");
    for (const auto& [name, value] : request.tunables) {
      words.push_back("-D" + name + "=" + std::to_string(value));
    }
    words.insert(words.end(), {"-o", ptx.string(), source.string()});
    return words;
  }

  std::string compiler_, version_;
  fs::path header_;
  std::string fingerprint_;
};

// "Debian clang version 14.0.6" says "14.0.6"; empty where the program is no clang.
std::string versionOf(const std::string& compiler) {
  const auto ran = runCommand({compiler, "--version"}, kTimeout);
  if (!ran || ran->exitStatus != 0) return {};
  constexpr std::string_view kMark = "clang version ";
  const size_t at = ran->output.find(kMark);
  if (at == std::string::npos) return {};
  const size_t begin = at + kMark.size();
  return ran->output.substr(begin, ran->output.find_first_not_of("0123456789.", begin) - begin);
}

// A clang may be built without the PTX backend.
bool writesPtx(const std::string& compiler, const fs::path& folder) {
  const fs::path source = folder / "probe.cu";
  if (!writeFileAtomically(source, "__attribute__((global)) void probe() {}\n")) return false;
  std::vector<std::string> words = baseOptions(compiler, "compute_75", folder);
  words.insert(words.end(), {"-o", (folder / "probe.ptx").string(), source.string()});
  const auto ran = runCommand(words, kTimeout);
  return ran && ran->exitStatus == 0;
}

std::vector<std::string> candidates() {
  std::vector<std::string> found;
  for (int version = kNewest; version >= kOldest; --version) {
    found.push_back(findOnPath("clang++-" + std::to_string(version)));
  }
  found.push_back(findOnPath("clang++"));
  std::erase(found, std::string());
  return found;
}

}  // namespace

std::unique_ptr<Compiler> openClang(const std::string& headerFolder) {
  const fs::path header = fs::path(headerFolder) / kHeader;
  std::error_code ignored;
  if (!fs::exists(header, ignored)) return nullptr;
  const PrivateFolder folder;
  if (folder.path().empty()) return nullptr;
  for (const std::string& compiler : candidates()) {
    std::string version = versionOf(compiler);
    if (version.empty() || !writesPtx(compiler, folder.path())) continue;
    return std::make_unique<Clang>(compiler, std::move(version), fs::absolute(header, ignored));
  }
  return nullptr;
}

}  // namespace tilestep::compile
