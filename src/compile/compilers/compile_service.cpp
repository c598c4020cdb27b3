// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/toolkit.h"
#include "compile/compiler.h"
#include "compile/compilers/assembler_log.h"
#include "compile/compilers/compiler_log.h"
#include "compile/compilers/compiler_process.h"
#include "compile/compilers/ptx_cache.h"
#include "compile/front_matter/entries.h"
#include "compile/front_matter/symbols.h"
#include "compile/host/device_part.h"
#include "compile/nearest_name.h"
#include "compile/text/directives.h"
#include "ptx/rewrite/normalize.h"
#include "ptx/rewrite/own_lines.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"

namespace tilestep::compile {
namespace {

constexpr size_t kInMemory = 256;

std::string noCompiler(const std::string& asked) {
  if (asked == "nvrtc") {
    return "NVRTC was asked for and is not here; install the CUDA Toolkit, or choose clang with "
           "TILESTEP_COMPILER=clang";
  }
  if (asked == "clang") {
    return "clang was asked for and none here writes PTX; install clang 14 or newer, or choose "
           "NVRTC with TILESTEP_COMPILER=nvrtc";
  }
  return "there is no compiler for CUDA C++: install clang (14 or newer, with the NVPTX backend), "
         "or the CUDA Toolkit for NVRTC";
}

using Shared = std::shared_ptr<const Compiled>;

// The most recently used results. Not thread-safe.
class MemoryCache {
 public:
  Shared find(const std::string& key) {
    const auto at = index_.find(key);
    if (at == index_.end()) return nullptr;
    order_.splice(order_.begin(), order_, at->second);
    return at->second->second;
  }

  void put(const std::string& key, Shared value) {
    if (index_.count(key)) return;
    order_.emplace_front(key, std::move(value));
    index_[key] = order_.begin();
    if (order_.size() <= kInMemory) return;
    index_.erase(order_.back().first);
    order_.pop_back();
  }

 private:
  std::list<std::pair<std::string, Shared>> order_;
  std::map<std::string, std::list<std::pair<std::string, Shared>>::iterator> index_;
};

Status checkRequest(const CompileRequest& request) {
  const std::string& arch = request.arch;
  if (arch.rfind("compute_", 0) != 0 || !isIdentifier(arch)) {
    return requestError("the architecture " + arch + " is not written like compute_75");
  }
  for (const auto& [name, value] : request.tunables) {
    if (!isIdentifier(name)) return requestError("the tunable name " + name + " is no identifier");
  }
  if (request.source.text.find('\0') != std::string::npos) {
    return requestError(request.source.path + " holds a zero byte; it is not text");
  }
  return {};
}

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

uint32_t linesOf(const std::string& text) {
  return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

// The functions' names, in their order, which renaming keeps.
std::vector<std::string> namesIn(const ptx::Module& module) {
  std::vector<std::string> names;
  for (const ptx::Function& function : module.functions) names.push_back(function.name);
  return names;
}

// By the functions' names in `module`, which were `before` when they were assembled.
ptx::Assembled renamed(const ptx::Assembled& assembled, const std::vector<std::string>& before,
                       const ptx::Module& module) {
  ptx::Assembled result;
  for (size_t i = 0; i < std::min(before.size(), module.functions.size()); ++i) {
    const auto found = assembled.find(before[i]);
    if (found != assembled.end()) result[module.functions[i].name] = found->second;
  }
  return result;
}

// The compiler's PTX as every device gets it. NVRTC's branches stay as they are: recorded counts
// hold its instructions. `assembled` is by its names before, and by those of the result then.
Result<ptx::Module> finished(const std::string& text, const std::string& path, uint32_t lines,
                             const std::vector<Instance>& instances, bool isClangs,
                             ptx::Assembled& assembled) {
  Result<ptx::Module> module = ptx::parse(text, path + " (PTX)");
  if (!module) return module;
  const std::vector<std::string> names = namesIn(*module);
  if (Status named = nameInstances(*module, instances, path); !named) return named.error();
  usePlainEntryNames(*module);
  assembled = renamed(assembled, names, *module);
  ptx::dropLinesAbove(*module, lines);
  // Compilers put the folder they ran in before a relative path.
  for (auto& [number, file] : module->files) {
    if (endsWith(file, "/" + path)) file = path;
  }
  if (isClangs) module = ptx::withTurnedBranches(std::move(*module));
  return ptx::withExplicitRounding(std::move(*module));
}

bool isQuoted(const std::string& message, const std::string& name) {
  return message.find('"' + name + '"') != std::string::npos ||
         message.find("'" + name + "'") != std::string::npos;
}

// Whether the error is about one of these lines.
bool isIn(const std::vector<DevicePart::Lines>& lines, const Error& error) {
  return error.where && std::ranges::any_of(lines, [&](const DevicePart::Lines& each) {
           return error.where->line >= each.first && error.where->line <= each.last;
         });
}

// Device code that calls a function without __device__ finds nothing there.
Error withHostHint(Error error, const DevicePart& part) {
  for (const DevicePart::LeftOut& function : part.functions) {
    if (!isQuoted(error.message, function.name)) continue;
    error.message += "; line " + std::to_string(function.line) + " has a " + function.name +
                     " for the host alone: write __device__ before it";
    break;
  }
  return error;
}

double msSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

struct CompileService::State {
  explicit State(Options chosen) : options(std::move(chosen)), disk(options.cacheFolder) {}

  Options options;
  PtxCache disk;
  std::mutex opening;  // Guards the compilers' places.
  std::unique_ptr<Compiler> compiler;
  std::unique_ptr<Compiler> clangBeside;  ///< Beside NVRTC, opened when it is first asked.
  bool isClangSought = false;
  std::string note;  ///< Says that the toolkit is hidden; else empty.
  std::mutex mutex;  // Guards memory.
  MemoryCache memory;

  // On first use: opening NVRTC reads a library of 100 MB. What fails may not fail the next time.
  Result<Compiler*> open() {
    const std::lock_guard lock(opening);
    if (compiler) return compiler.get();
    Result<std::unique_ptr<Compiler>> opened = openPreferred();
    if (!opened) return opened.error();
    compiler = std::move(*opened);
    return compiler.get();
  }

  /// Never null.
  Result<std::unique_ptr<Compiler>> openPreferred() {
    std::string prefer = options.prefer;
    const char* variable = std::getenv("TILESTEP_COMPILER");
    if (prefer.empty() && variable) prefer = variable;
    if (!prefer.empty() && prefer != "nvrtc" && prefer != "clang")
      return requestError("TILESTEP_COMPILER is " + prefer + "; it is nvrtc or clang");
    const Result<bool> hidden = isToolkitHidden();
    if (!hidden) return hidden.error();
    note = *hidden ? " (TILESTEP_TOOLKIT=none hides the CUDA Toolkit)" : "";
    // Which compiler it is must not depend on what the machine is short of for a moment: NVRTC that
    // is here and does not start is no reason to take clang.
    Result<std::unique_ptr<Compiler>> opened = std::unique_ptr<Compiler>();
    if (prefer != "clang")
      opened = options.program.empty() ? openNvrtc() : openNvrtcProcess(options.program);
    if (opened && !*opened && prefer != "nvrtc") opened = openClangOfHome();
    if (!opened) return opened;
    if (!*opened) return requestError(noCompiler(prefer) + note);
    if (!options.program.empty() && !(*opened)->keepsFiles())
      note += " (this system has no Landlock to keep other files from it)";
    return opened;
  }

  [[nodiscard]] Result<std::unique_ptr<Compiler>> openClangOfHome() const {
    return openClang(options.home + "/assets/clang", options.program);
  }

  Shared remember(const std::string& key, Compiled result) {
    Compiled copy = result;
    copy.cached = true;
    const std::lock_guard lock(mutex);
    memory.put(key, std::make_shared<const Compiled>(std::move(copy)));
    return std::make_shared<const Compiled>(std::move(result));
  }

  /// Never null.
  [[nodiscard]] Result<Compiler*> compilerFor(const CompileRequest& request) {
    Result<Compiler*> usual = open();
    if (!request.asWritten || (usual && (*usual)->name() == "clang")) return usual;
    Result<Compiler*> clang = clangHere();
    if (clang && *clang == nullptr)
      return requestError("there is no clang, which alone compiles a kernel as it is written");
    return clang;
  }

  static Compiled base(const Compiler& chosen, const CompileRequest& request) {
    Compiled result;
    result.compilerName = chosen.name();
    result.compilerVersion = chosen.version();
    result.arch = request.arch;
    return result;
  }

  std::optional<Compiled> fromDisk(const CacheKey& key, const Compiler& chosen,
                                   const CompileRequest& request) {
    std::optional<CachedPtx> entry = disk.load(key);
    if (!entry) return std::nullopt;
    Result<ptx::Module> module = ptx::parse(entry->ptx, request.source.path + " (PTX)");
    if (!module) return std::nullopt;
    ptx::dropLinesAbove(*module, linesOf(request.source.text));  // Of an older Tilestep's entry.
    Compiled result = base(chosen, request);
    result.ptx = std::move(entry->ptx);
    result.log = std::move(entry->log);
    result.assembled = std::move(entry->assembled);
    result.ms = entry->ms;
    result.cached = true;
    result.module = std::make_shared<const ptx::Module>(std::move(*module));
    return result;
  }

  /// What a compile came to; `log` is the compiler's.
  struct Attempt {
    Result<std::string> ptx;
    std::string log;
  };
  [[nodiscard]] static Attempt attempt(Compiler& chosen, const CompileRequest& request) {
    std::string log;
    Result<std::string> ptx = chosen.compile(request, log);
    return {std::move(ptx), std::move(log)};
  }

  /// clang, to be asked beside NVRTC; null where it is not here, and an Error where that is not
  /// known.
  [[nodiscard]] Result<Compiler*> clangHere() {
    const std::lock_guard lock(opening);
    if (isClangSought) return clangBeside.get();
    Result<std::unique_ptr<Compiler>> opened = openClangOfHome();
    if (!opened) return notAsked(opened.error());
    clangBeside = std::move(*opened);
    isClangSought = true;
    return clangBeside.get();
  }

  [[nodiscard]] static Error notAsked(const Error& error) {
    return workError("clang, which is asked beside NVRTC, could not be: " + error.message);
  }

  /// What NVRTC refuses and clang takes, such as designated initialisers, nvcc may take as well.
  [[nodiscard]] Error undecided(const CompileRequest& request, Error error) {
    std::string log;
    const Result<Compiler*> clang = clangHere();
    if (!clang) return clang.error();
    if (*clang == nullptr) return error;
    const auto taken = (*clang)->compile(request, log);
    if (!taken && taken.error().kind == ErrorKind::work) return notAsked(taken.error());
    if (!taken) return error;
    error.kind = ErrorKind::work;
    error.message =
        "NVRTC does not take this, and clang does; compile it with nvcc: " + error.message;
    return error;
  }

  /// Where functions lack __device__ and __host__, nvcc takes them for the host's, and NVRTC knows
  /// no such thing. If clang finds that no device code calls one, NVRTC may take them for the
  /// device's.
  [[nodiscard]] Attempt withUnmarked(Compiler& nvrtc, CompileRequest request, const Error& error,
                                     const std::string& logOfNvrtc) {
    std::string log;
    const Result<Compiler*> clang = clangHere();
    if (!clang) return {clang.error(), {}};
    bool isRight = onlyUnmarked(logOfNvrtc) && *clang != nullptr;
    if (isRight) {
      const auto taken = (*clang)->compile(request, log);
      if (!taken && taken.error().kind == ErrorKind::work) return {notAsked(taken.error()), {}};
      isRight = taken.ok();
    }
    if (log.find("reference to __host__ ") != std::string::npos) return {error, {}};
    request.unmarkedIsDevice = true;
    Attempt made = isRight ? attempt(nvrtc, request) : Attempt{error, {}};
    if (made.ptx) return made;
    Error unknown = workError(
        "NVRTC cannot leave out code of the host that says nothing of where it runs, and nothing "
        "here can say whether device code calls it; compile it with nvcc, or write __host__ or "
        "__device__: " +
        error.message);
    unknown.where = error.where;
    unknown.sourceLine = error.sourceLine;
    return {std::move(unknown), {}};
  }

  /// Compiles the device's part. Where that fails because of code of the host, though the text
  /// shows no other host code, it is compiled once more without what may be the host's, and where
  /// NVRTC then still finds code of the host, with functions that say nothing of where they run.
  Result<std::string> compileDevicePart(Compiler& chosen, CompileRequest request,
                                        const DevicePart& part, std::string& log) {
    const std::string whole = std::exchange(request.source.text, part.text);
    Attempt first = attempt(chosen, request);
    log = first.log;
    if (first.ptx) return std::move(first.ptx);
    Error error = withHostHint(first.ptx.error(), part);
    if (error.kind != ErrorKind::request || isFromAssembler(first.log)) return error;
    const DevicePart less = devicePart(whole, true);
    const bool isHosts = isIn(less.hosts, error);
    if (!isHosts && !findsHostCode(first.log)) {
      return chosen.name() == "nvrtc" ? undecided(request, std::move(error)) : error;
    }
    Attempt latest = std::move(first);
    if (less.text != part.text) {
      request.source.text = less.text;
      latest = attempt(chosen, request);
      if (!latest.ptx) {
        Error hinted = withHostHint(latest.ptx.error(), less);
        if (isHosts || hinted.message != latest.ptx.error().message) error = std::move(hinted);
      }
    }
    if (!latest.ptx && chosen.name() == "nvrtc") {
      if (!findsHostCode(latest.log)) return undecided(request, std::move(error));
      latest = withUnmarked(chosen, std::move(request), error, latest.log);
      if (!latest.ptx) error = latest.ptx.error();
    }
    if (!latest.ptx) return error;
    log = std::move(latest.log);
    return std::move(latest.ptx);
  }

  Result<Compiled> fresh(Compiler& chosen, const CompileRequest& request,
                         const std::vector<Instance>& instances) {
    Compiled result = base(chosen, request);
    const auto start = std::chrono::steady_clock::now();
    const DevicePart part = devicePart(request.source.text);
    if (Status checked = checkDirectives(part.text, request.source.path); !checked)
      return checked.error();
    const uint32_t lines = linesOf(request.source.text);
    Result<std::string> text = compileDevicePart(chosen, request, part, result.log);
    if (!text) return std::move(text).error();
    if (request.blockThreads > 0) {
      result.assembled = assembledIn(result.log);
      result.log = withoutAssembled(result.log);
    }
    Result<ptx::Module> module = finished(*text, request.source.path, lines, instances,
                                          result.compilerName == "clang", result.assembled);
    if (!module) return std::move(module).error();
    result.ptx = ptx::print(*module);
    result.ms = msSince(start);
    result.module = std::make_shared<const ptx::Module>(std::move(*module));
    return result;
  }
};

CompileService::CompileService(Options options)
    : state_(std::make_unique<State>(std::move(options))) {}
CompileService::~CompileService() = default;

Result<std::shared_ptr<const Compiled>> CompileService::compile(const CompileRequest& asked) {
  if (Status checked = checkRequest(asked); !checked) return checked.error();
  const Result<Compiler*> chosen = state_->compilerFor(asked);
  if (!chosen) return chosen.error();
  Compiler& compiler = **chosen;
  CompileRequest request = asked;
  if (compiler.name() != "nvrtc" || asked.relocatable) request.blockThreads = 0;
  const std::vector<Instance> instances = instancesOf(request.source, request.tunables);
  for (const Instance& instance : instances) request.instances.push_back(instance.expression);
  const CacheKey key = cacheKey(request, compiler);
  {
    const std::lock_guard lock(state_->mutex);
    if (Shared found = state_->memory.find(key.text)) return found;
  }
  if (auto found = state_->fromDisk(key, compiler, request)) {
    return state_->remember(key.text, std::move(*found));
  }
  Result<Compiled> made = state_->fresh(compiler, request, instances);
  if (!made) return std::move(made).error();
  state_->disk.store(key, {made->ptx, made->log, made->assembled, made->ms});
  return state_->remember(key.text, std::move(*made));
}

Result<std::string> CompileService::description() const {
  const Result<Compiler*> compiler = state_->open();
  if (!compiler) return compiler.error();
  return (*compiler)->name() + " " + (*compiler)->version() + state_->note;
}

}  // namespace tilestep::compile
