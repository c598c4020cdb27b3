// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "base/nearest_name.h"
#include "compile/compiler.h"
#include "compile/compilers/assembler_log.h"
#include "compile/compilers/compiler_choice.h"
#include "compile/compilers/compiler_log.h"
#include "compile/compilers/ptx_cache.h"
#include "compile/front_matter/entries.h"
#include "compile/front_matter/symbols.h"
#include "compile/text/directives.h"
#include "compile/text/host_variables.h"
#include "ptx/rewrite/normalize.h"
#include "ptx/rewrite/own_lines.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"

namespace tilestep::compile {
namespace {

constexpr size_t kInMemory = 256;

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
    return requestError("the architecture " + arch + " must be written like compute_75");
  }
  for (const auto& [name, value] : request.tunables) {
    if (!isIdentifier(name))
      return requestError("the tunable name " + name + " is not an identifier");
  }
  if (request.source.text.find('\0') != std::string::npos) {
    return requestError(request.source.path + " contains a zero byte, so it is not text");
  }
  return {};
}

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

uint32_t linesOf(const std::string& text) {
  return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

// The functions' names, in the module's order.
std::vector<std::string> namesIn(const ptx::Module& module) {
  std::vector<std::string> names;
  for (const ptx::Function& function : module.functions) names.push_back(function.name);
  return names;
}

// `assembled` with the functions' names in `module` instead of those `before`, in the same order.
ptx::Assembled renamed(const ptx::Assembled& assembled, const std::vector<std::string>& before,
                       const ptx::Module& module) {
  ptx::Assembled result;
  for (size_t i = 0; i < std::min(before.size(), module.functions.size()); ++i) {
    const auto found = assembled.find(before[i]);
    if (found != assembled.end()) result[module.functions[i].name] = found->second;
  }
  return result;
}

// Parses a compiler's PTX and applies the changes that all devices need. NVRTC's branches are
// unchanged, because recorded counts refer to its instructions. Changes the keys of `assembled` to
// the names in the result.
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
  // Compilers prepend their working folder to a relative path.
  for (auto& [number, file] : module->files) {
    if (endsWith(file, "/" + path)) file = path;
  }
  if (isClangs) module = ptx::withTurnedBranches(std::move(*module));
  return ptx::withExplicitRounding(std::move(*module));
}

double msSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

struct CompileService::State {
  explicit State(const Options& options) : compilers(options), disk(options.cacheFolder) {}

  CompilerChoice compilers;
  PtxCache disk;
  std::mutex mutex;  // Guards the following members.
  MemoryCache memory;
  std::set<std::string> programs;  ///< Keys of files that compile only as whole programs.

  Shared remember(const std::string& key, Compiled result) {
    Compiled copy = result;
    copy.cached = true;
    const std::lock_guard lock(mutex);
    memory.put(key, std::make_shared<const Compiled>(std::move(copy)));
    return std::make_shared<const Compiled>(std::move(result));
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
    ptx::dropLinesAbove(*module,
                        linesOf(request.source.text));  // Older versions did not do this.
    Compiled result = base(chosen, request);
    result.ptx = std::move(entry->ptx);
    result.log = std::move(entry->log);
    result.assembled = std::move(entry->assembled);
    result.ms = entry->ms;
    result.cached = true;
    result.module = std::make_shared<const ptx::Module>(std::move(*module));
    return result;
  }

  /// Compiles without a cache. Sets `log` to the compiler's log, even on failure.
  Result<Compiled> fresh(Compiler& compiler, const CompileRequest& request,
                         const std::vector<Instance>& instances, std::string& log) {
    Compiled result = base(compiler, request);
    const auto start = std::chrono::steady_clock::now();
    const KernelSource& source = request.source;
    if (Status checked = checkDirectives(source.text, source.path); !checked)
      return checked.error();
    Result<std::string> text = compiler.compile(request, log);
    if (!text) return std::move(text).error();
    result.log = log;
    if (request.blockThreads > 0) {
      result.assembled = assembledIn(result.log);
      result.log = withoutAssembled(result.log);
    }
    Result<ptx::Module> module = finished(*text, source.path, linesOf(source.text), instances,
                                          result.compilerName == "clang", result.assembled);
    if (!module) return std::move(module).error();
    if (Status known = checkHostVariables(*module, source.text, source.path); !known)
      return known.error();
    if (request.asWritten) module = ptx::withGuardedSelections(std::move(*module));
    result.ptx = ptx::print(*module);
    result.ms = msSince(start);
    result.module = std::make_shared<const ptx::Module>(std::move(*module));
    return result;
  }

  /// Returns a cached result or compiles the source, which sets `log`.
  Result<Shared> made(Compiler& compiler, CompileRequest request, std::string& log) {
    const std::vector<Instance> instances = instancesOf(request.source, request.tunables);
    for (const Instance& instance : instances) request.instances.push_back(instance.expression);
    const CacheKey key = cacheKey(request, compiler);
    {
      const std::lock_guard lock(mutex);
      if (Shared found = memory.find(key.text)) return found;
    }
    if (auto found = fromDisk(key, compiler, request)) return remember(key.text, std::move(*found));
    Result<Compiled> result = fresh(compiler, request, instances, log);
    if (!result) return std::move(result).error();
    disk.store(key, {result->ptx, result->log, result->assembled, result->ms});
    return remember(key.text, std::move(*result));
  }

  /// Compiles the file as device code only. If it is rejected, it may contain host code, so clang,
  /// if installed, compiles it as a whole program.
  Result<Shared> made(Compiler& chosen, const CompileRequest& request) {
    const std::string key = cacheKey(request, chosen).text;
    const bool isKnown = isProgram(key);
    std::string log, logOfWhole;
    Result<Shared> alone = isKnown ? Shared() : made(chosen, request, log);
    const bool isOfText =
        !alone && (alone.error().kind == ErrorKind::request || alone.error().where);
    if (!isKnown && (!isOfText || isFromAssembler(log))) return alone;
    const Result<Compiler*> clang = compilers.clangBeside();
    if (!clang) return clang.error();
    if (*clang == nullptr) return alone;
    CompileRequest whole = request;
    whole.wholeProgram = true;
    whole.blockThreads = 0;
    Result<Shared> program = made(**clang, whole, logOfWhole);
    if (isKnown) return program;
    if (program) noteProgram(key);
    const bool isNvrtcs = chosen.name() == "nvrtc" && !isAboutHostCode(log);
    return !program && isNvrtcs ? alone : program;
  }

 private:
  /// NVRTC supports neither host code nor system headers.
  static bool isAboutHostCode(const std::string& log) {
    return findsHostCode(log) || log.find("cannot open source file") != std::string::npos;
  }

  bool isProgram(const std::string& key) {
    const std::lock_guard lock(mutex);
    return programs.contains(key);
  }

  void noteProgram(const std::string& key) {
    const std::lock_guard lock(mutex);
    if (programs.size() == kInMemory) programs.clear();
    programs.insert(key);
  }
};

CompileService::CompileService(const Options& options) : state_(std::make_unique<State>(options)) {}
CompileService::~CompileService() = default;

Result<std::shared_ptr<const Compiled>> CompileService::compile(const CompileRequest& request) {
  if (Status checked = checkRequest(request); !checked) return checked.error();
  const Result<Compiler*> chosen = state_->compilers.compilerFor(request);
  if (!chosen) return chosen.error();
  Compiler& compiler = **chosen;
  CompileRequest here = request;
  if (compiler.name() != "nvrtc" || request.relocatable) here.blockThreads = 0;
  return state_->made(compiler, here);
}

Result<std::string> CompileService::description() const {
  const Result<Compiler*> compiler = state_->compilers.usual();
  if (!compiler) return compiler.error();
  return (*compiler)->name() + " " + (*compiler)->version() + state_->compilers.note();
}

}  // namespace tilestep::compile
