// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "base/process/shortage.h"
#include "base/text_lines.h"
#include "base/toolkit.h"
#include "compile/compiler.h"
#include "compile/compilers/assembler_log.h"
#include "compile/compilers/compiler_log.h"
#include "compile/compilers/nvrtc_api.h"
#include "compile/compilers/nvrtc_headers.h"

namespace tilestep::compile {
namespace {

namespace fs = std::filesystem;

// NVRTC's functions. The library is never closed, because NVRTC may have threads.
struct Library {
  nvrtc::Version version = nullptr;
  nvrtc::GetErrorString errorString = nullptr;
  nvrtc::CreateProgram create = nullptr;
  nvrtc::DestroyProgram destroy = nullptr;
  nvrtc::AddNameExpression addName = nullptr;
  nvrtc::CompileProgram compile = nullptr;
  nvrtc::GetSize ptxSize = nullptr;
  nvrtc::GetText ptx = nullptr;
  nvrtc::GetSize logSize = nullptr;
  nvrtc::GetText log = nullptr;
};

template <class Function>
bool load(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
  return function != nullptr;
}

bool loadAll(void* handle, Library& library) {
  return load(handle, "nvrtcVersion", library.version) &&
         load(handle, "nvrtcGetErrorString", library.errorString) &&
         load(handle, "nvrtcCreateProgram", library.create) &&
         load(handle, "nvrtcDestroyProgram", library.destroy) &&
         load(handle, "nvrtcAddNameExpression", library.addName) &&
         load(handle, "nvrtcCompileProgram", library.compile) &&
         load(handle, "nvrtcGetPTXSize", library.ptxSize) &&
         load(handle, "nvrtcGetPTX", library.ptx) &&
         load(handle, "nvrtcGetProgramLogSize", library.logSize) &&
         load(handle, "nvrtcGetProgramLog", library.log);
}

// Newest first. CUDA 11.2 to 11.8 all have the same name.
constexpr const char* kNames[] = {"libnvrtc.so",      "libnvrtc.so.13",   "libnvrtc.so.12",
                                  "libnvrtc.so.11.2", "libnvrtc.so.11.1", "libnvrtc.so.11.0"};

// The path of the library that contains the function.
fs::path libraryOf(void* function) {
  Dl_info info{};
  if (!::dladdr(function, &info) || !info.dli_fname) return {};
  std::error_code ignored;
  return fs::canonical(info.dli_fname, ignored);
}

// The folder of the toolkit's headers, such as cuda_fp16.h, for kernels; empty if not installed.
std::string includeFolder(const fs::path& library) {
  std::error_code ignored;
  for (fs::path up = library.parent_path(); up != up.parent_path(); up = up.parent_path()) {
    if (fs::exists(up / "include" / "cuda_fp16.h", ignored)) return (up / "include").string();
  }
  return {};
}

/// "sm_75" for "compute_75".
std::string machineArch(const std::string& arch) {
  return "sm_" + arch.substr(arch.find('_') + 1);
}

std::vector<std::string> optionsFor(const CompileRequest& request, const std::string& include) {
  const std::string arch = request.blockThreads > 0 ? machineArch(request.arch) : request.arch;
  std::vector<std::string> options{"--gpu-architecture=" + arch, "-lineinfo", "--std=c++17"};
  if (request.blockThreads > 0) options.emplace_back("--ptxas-options=-v");
  if (request.relocatable) options.emplace_back("--relocatable-device-code=true");
  if (!include.empty()) {
    options.push_back("--include-path=" + include);
    // In CUDA 13, this folder contains headers that cooperative_groups.h includes.
    options.push_back("--include-path=" + include + "/cccl");
  }
  for (const auto& [name, value] : request.tunables) {
    options.push_back("-D" + name + "=" + std::to_string(value));
  }
  return options;
}

/// Whether a lambda, such as [&](…) or [=]{…}, appears to begin in the line. Runs in linear time.
bool showsLambda(std::string_view line) {
  const auto isOfCapture = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_ \t,&=*").find(static_cast<char>(c)) != std::string_view::npos;
  };
  for (size_t at = line.find('['); at != std::string_view::npos; at = line.find('[', at + 1)) {
    const auto end =
        std::find_if_not(line.begin() + static_cast<ptrdiff_t>(at) + 1, line.end(), isOfCapture);
    if (end == line.end() || *end != ']') continue;
    const auto next = std::find_if_not(end + 1, line.end(), [](char c) { return c == ' '; });
    if (next != line.end() && (*next == '(' || *next == '{')) return true;
  }
  return false;
}

/// Whether all errors are caused by NVRTC treating generic lambdas in device code as host
/// functions, which nvcc does not do. A function without __device__ is still an error.
bool onlyLambdasLackSpace(std::string_view log, const std::string& text) {
  constexpr std::string_view kError = "): error";
  bool any = false;
  for (size_t at = log.find(kError); at != std::string_view::npos; at = log.find(kError, at + 1)) {
    const std::string_view before = log.substr(0, at);
    const std::string_view message = log.substr(at, log.find('\n', at) - at);
    const auto line = numberIn<int>(before.substr(before.rfind('(') + 1));
    const bool isThat = message.find("without execution space annotations") != message.npos;
    if (!isThat || !line || !showsLambda(lineOf(text, *line))) return false;
    any = true;
  }
  return any;
}

/// Whether an error is about an unknown name or 128-bit integers.
bool lacksAName(std::string_view log) {
  return log.find("is undefined") != std::string_view::npos ||
         log.find("128-bit integer type") != std::string_view::npos;
}

/// The first version that supports --ptxas-options and returns ptxas's messages in its log.
constexpr int kFirstToAssemble = 12;

/// Targets on which a kernel may need fewer registers than on Turing: one per major change.
constexpr const char* kNewerArchs[] = {"compute_80", "compute_90", "compute_120"};

/// NVRTC 13 supports only Turing and newer GPUs.
constexpr int kLastForOldGpus = 12;
constexpr int kOldestOfThirteen = 75;

/// Smaller numbers are not architectures; NVRTC itself rejects them.
constexpr int kOldestByNvrtc = 30;

/// 75 of "compute_75"; 0 if there is no number.
int numberOf(const std::string& arch) {
  const size_t at = arch.find_first_of("0123456789");
  return at == std::string::npos ? 0 : std::atoi(arch.c_str() + at);
}

bool isOld(const std::string& arch) {
  return numberOf(arch) >= kOldestByNvrtc && numberOf(arch) < kOldestOfThirteen;
}

/// Opens the first NVRTC whose major version is at most `mostMajor`.
Result<std::unique_ptr<Compiler>> openNvrtcUpTo(int mostMajor);

/// Paths of installed NVRTC libraries, without those that only the loader finds.
std::vector<fs::path> installed() {
  constexpr const char* kInside[] = {"lib64"};
  const Result<std::vector<std::string>> paths = toolkitPaths(kInside, kNames);
  std::vector<fs::path> found;
  std::error_code ignored;
  if (!paths) return found;
  for (const std::string& path : *paths)
    if (path.find('/') != std::string::npos && fs::exists(path, ignored))
      found.push_back(fs::canonical(path, ignored));
  return found;
}

class Nvrtc final : public Compiler {
 public:
  Nvrtc(const Library& library, std::string version, std::string include)
      : library_(library), version_(std::move(version)), include_(std::move(include)) {}

  std::string name() const override { return "nvrtc"; }
  std::string version() const override { return version_; }
  std::vector<std::string> folders() const override {
    std::vector<fs::path> libraries = installed();  // An older NVRTC may be needed later.
    libraries.push_back(libraryOf(reinterpret_cast<void*>(library_.version)));
    std::vector<std::string> folders;
    for (const fs::path& library : libraries) {
      folders.push_back(library.parent_path());
      if (std::string include = includeFolder(library); !include.empty())
        folders.push_back(std::move(include));
    }
    return folders;
  }

  Result<std::string> compile(const CompileRequest& asked, std::string& log) override {
    if (major() > kLastForOldGpus && isOld(asked.arch)) return compileForOldGpu(asked, log);
    CompileRequest request = asked;
    if (asked.relocatable || major() < kFirstToAssemble) request.blockThreads = 0;
    Result<std::string> ptx = compileAnyLambdas(request, log);
    if (request.blockThreads == 0 || (!ptx && !isFromAssembler(log))) return ptx;
    if (ptx) {
      addFewest(request, log);
      return ptx;
    }
    if (const std::string why = shortageIn(log); !why.empty())
      return workError("ptxas, which generates the machine code, fails on " + request.source.path +
                       ": " + why);
    // The PTX shows the source line of the error. If ptxas does not reject the PTX itself, return
    // the PTX: whether it can be launched depends on the device's limits.
    request.blockThreads = 0;
    std::string ignored;
    Result<std::string> refused = compileAnyLambdas(request, ignored);
    if (!isRefusedByAssembler(log)) return refused;
    return assemblerError(log, refused ? *refused : std::string(), request.source);
  }

 private:
  [[nodiscard]] int major() const { return std::atoi(version_.c_str()); }

  /// If it may decide whether the kernel can run, also assembles the kernel for newer GPUs, and
  /// appends the minimum registers and stack bytes over all GPUs to the log.
  void addFewest(CompileRequest request, std::string& log) {
    ptx::Assembled fewest = assembledIn(log);
    if (!mayExceedGpu(fewest, request.blockThreads)) return;
    const int own = numberOf(request.arch);
    for (const char* arch : kNewerArchs) {
      if (numberOf(arch) <= own) continue;
      request.arch = arch;
      std::string other;
      if (compileAnyLambdas(request, other)) takeFewer(assembledIn(other), fewest);
    }
    log += assembledText(fewest);
  }

  Result<std::string> compileAnyLambdas(const CompileRequest& request, std::string& log) {
    Result<std::string> ptx = compileWithUsualNames(request, {}, log);
    if (ptx || !onlyLambdasLackSpace(log, request.source.text)) return ptx;
    return compileWithUsualNames(request, {"--device-as-default-execution-space"}, log);
  }

  /// If a name is unknown, tries again with the names that nvcc declares without any #include.
  Result<std::string> compileWithUsualNames(const CompileRequest& request,
                                            std::vector<std::string> options, std::string& log) {
    Result<std::string> ptx = compileOnce(request, options, log);
    if (ptx || !lacksAName(log)) return ptx;
    std::string logOfUsual;
    options.insert(options.end(), {std::string("--pre-include=") + kUsualName, "--device-int128"});
    Result<std::string> other = compileOnce(request, options, logOfUsual);
    if (!other) return ptx;
    log = std::move(logOfUsual);
    return other;
  }

  Result<std::string> compileOnce(const CompileRequest& request,
                                  const std::vector<std::string>& more, std::string& log) {
    nvrtc::Program program = nullptr;
    const KernelSource& source = request.source;
    const nvrtc::Status created = library_.create(
        &program, source.text.c_str(), source.path.c_str(), static_cast<int>(kHeaderNames.size()),
        kHeaderTexts.data(), kHeaderNames.data());
    if (created != nvrtc::kSuccess) return failure(request, created);
    Result<std::string> ptx = run(program, request, more, log);
    library_.destroy(&program);
    return ptx;
  }

  /// Compiles with an older NVRTC of this machine, which is opened when first needed.
  Result<std::string> compileForOldGpu(const CompileRequest& request, std::string& log) {
    if (!older_) {
      auto opened = openNvrtcUpTo(kLastForOldGpus);
      if (!opened) return opened.error();
      older_ = std::move(*opened);
    }
    if (older_) return older_->compile(request, log);
    return requestError("This GPU needs code for " + request.arch + ", which NVRTC " + version_ +
                        " no longer generates: install the CUDA Toolkit 12 beside it (CUDA_HOME "
                        "names its folder), or choose clang with TILESTEP_COMPILER=clang.");
  }

  Error failure(const CompileRequest& request, nvrtc::Status status) const {
    return workError("NVRTC does not compile " + request.source.path + ": " +
                     library_.errorString(status));
  }

  Result<std::string> run(nvrtc::Program program, const CompileRequest& request,
                          const std::vector<std::string>& more, std::string& log) {
    std::vector<std::string> options = optionsFor(request, include_);
    options.insert(options.end(), more.begin(), more.end());
    std::vector<const char*> pointers;
    for (const std::string& each : options) pointers.push_back(each.c_str());
    for (const std::string& instance : request.instances) {
      const nvrtc::Status added = library_.addName(program, instance.c_str());
      if (added != nvrtc::kSuccess) return failure(request, added);
    }
    const nvrtc::Status status =
        library_.compile(program, static_cast<int>(pointers.size()), pointers.data());
    log = text(program, library_.logSize, library_.log);
    if (status == nvrtc::kCompilation || (status != nvrtc::kSuccess && !log.empty())) {
      Error error = compileError(log, request.source, "NVRTC", library_.errorString(status));
      // This is not an error in the source: the message of an "#error" has more text.
      if (error.message == "out of memory")
        return workError("NVRTC needed more memory than it may use while it compiled " +
                         request.source.path);
      return placedInstance(std::move(error), request);
    }
    if (status != nvrtc::kSuccess) return failure(request, status);
    std::string ptx = text(program, library_.ptxSize, library_.ptx);
    if (ptx.empty()) return workError("NVRTC returned no PTX for " + request.source.path);
    return ptx;
  }

  // The string without its terminating zero, which NVRTC includes in the size.
  static std::string text(nvrtc::Program program, nvrtc::GetSize getSize, nvrtc::GetText getText) {
    size_t size = 0;
    if (getSize(program, &size) != nvrtc::kSuccess || size <= 1) return {};
    std::string text(size, '\0');
    if (getText(program, text.data()) != nvrtc::kSuccess) return {};
    text.resize(text.find('\0'));
    return text;
  }

  Library library_;
  std::string version_, include_;
  std::unique_ptr<Compiler> older_;
};

Result<std::unique_ptr<Compiler>> openNvrtcUpTo(int mostMajor) {
  constexpr const char* kInside[] = {"lib64"};
  const Result<std::vector<std::string>> paths = toolkitPaths(kInside, kNames);
  if (!paths) return std::unique_ptr<Compiler>();
  for (const std::string& path : *paths) {
    void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      const char* why = ::dlerror();
      if (why != nullptr && isResourceExhaustion(why))
        return workError(std::string("NVRTC cannot be loaded: ") + why);
      continue;
    }
    Library library;
    int major = 0, minor = 0;
    if (!loadAll(handle, library) || library.version(&major, &minor) != nvrtc::kSuccess ||
        major > mostMajor) {
      ::dlclose(handle);
      continue;
    }
    return std::unique_ptr<Compiler>(std::make_unique<Nvrtc>(
        library, std::to_string(major) + "." + std::to_string(minor),
        includeFolder(libraryOf(reinterpret_cast<void*>(library.version)))));
  }
  return std::unique_ptr<Compiler>();
}

}  // namespace

Result<std::unique_ptr<Compiler>> openNvrtc() {
  return openNvrtcUpTo(std::numeric_limits<int>::max());
}

}  // namespace tilestep::compile
