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

#include "compile/compiler.h"
#include "compile/compilers/assembler_log.h"
#include "compile/compilers/compiler_choice.h"
#include "compile/compilers/compiler_log.h"
#include "compile/compilers/nvcc_opinion.h"
#include "compile/compilers/ptx_cache.h"
#include "compile/front_matter/entries.h"
#include "compile/front_matter/symbols.h"
#include "compile/host/device_part.h"
#include "compile/host/host_variables.h"
#include "compile/nearest_name.h"
#include "compile/text/directives.h"
#include "compile/text/headers.h"
#include "ptx/rewrite/normalize.h"
#include "ptx/rewrite/own_lines.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"

namespace tilestep::compile {
namespace {

constexpr size_t kInMemory = 256;
/// Each brings to light what was made of what the one before it left out.
constexpr int kMostHostCuts = 4;

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

bool quotesOne(const std::set<std::string>& names, const std::string& message) {
  return std::ranges::any_of(names,
                             [&](const std::string& name) { return isQuoted(message, name); });
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

/// Whether a text may choose by its tunables which code is compiled: with #if or if constexpr.
/// Whatever else depends on their values is the same for nvcc and for the compiler here.
bool choosesCode(std::string_view text) {
  const CudaTokens tokens = cudaTokens(text);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("constexpr") && i > 0 && tokens[i - 1].is("if")) return true;
    if (tokens[i].kind != CudaToken::Kind::directive) continue;
    const CudaTokens words = wordsOfDirective(tokens[i].text);
    if (!words.empty() && (words[0].is("if") || words[0].is("elif"))) return true;
  }
  return false;
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
  std::mutex mutex;  // Guards what follows.
  MemoryCache memory;
  std::set<std::string> passedNvcc;  ///< Keys of what nvcc does not refuse.

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

  /// What NVRTC refuses and clang takes, such as designated initialisers, nvcc may take as well.
  [[nodiscard]] Error undecided(const CompileRequest& request, Error error) {
    std::string log;
    const Result<Compiler*> clang = compilers.clangBeside();
    if (!clang) return clang.error();
    if (*clang == nullptr) return error;
    const auto taken = (*clang)->compile(request, log);
    if (!taken && taken.error().kind == ErrorKind::work) return clangNotAsked(taken.error());
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
    const Result<Compiler*> clang = compilers.clangBeside();
    if (!clang) return {clang.error(), {}};
    bool isRight = onlyUnmarked(logOfNvrtc) && *clang != nullptr;
    if (isRight) {
      const auto taken = (*clang)->compile(request, log);
      if (!taken && taken.error().kind == ErrorKind::work)
        return {clangNotAsked(taken.error()), {}};
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

  /// Compiles the device's part. Where the compiler finds fault with code of the host, it is
  /// compiled again without that, and where NVRTC then still finds some, with functions that say
  /// nothing of where they run.
  Result<std::string> compileDevicePart(Compiler& chosen, CompileRequest request,
                                        const DevicePart& part, std::string& log) {
    const std::string whole = std::exchange(request.source.text, part.text);
    Attempt latest = attempt(chosen, request);
    log = latest.log;
    if (latest.ptx) return std::move(latest.ptx);
    Error error = withHostHint(latest.ptx.error(), part);
    HostSigns signs;
    for (int again = 0; again < kMostHostCuts; ++again) {
      if (latest.ptx.error().kind != ErrorKind::request || isFromAssembler(latest.log))
        return error;
      signs.isProgram = signs.isProgram || findsHostCode(latest.log);
      signs.wrongLines.merge(wrongLines(latest.log, request.source));
      const DevicePart less = devicePart(whole, signs);
      if (less.text == request.source.text) break;
      // What stood behind something on its line may now be a directive.
      if (Status allowed = checkDirectives(less.text, request.source.path); !allowed)
        return allowed.error();
      request.source.text = less.text;
      latest = attempt(chosen, request);
      if (latest.ptx) {
        log = std::move(latest.log);
        return std::move(latest.ptx);
      }
      // What is missing now is what the first error is about.
      const Error& next = latest.ptx.error();
      if (!quotesOne(less.values, next.message)) error = withHostHint(next, less);
    }
    if (chosen.name() != "nvrtc") return error;
    if (!findsHostCode(latest.log)) return undecided(request, std::move(error));
    latest = withUnmarked(chosen, std::move(request), error, latest.log);
    if (!latest.ptx) return latest.ptx.error();
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
    if (Status known = checkHostVariables(*module, part.text, request.source.path); !known)
      return known.error();
    result.ptx = ptx::print(*module);
    result.ms = msSince(start);
    result.module = std::make_shared<const ptx::Module>(std::move(*module));
    return result;
  }

  /// From a cache, or of a compile.
  Result<Shared> made(Compiler& compiler, CompileRequest request) {
    const std::vector<Instance> instances = instancesOf(request.source, request.tunables);
    for (const Instance& instance : instances) request.instances.push_back(instance.expression);
    const CacheKey key = cacheKey(request, compiler);
    {
      const std::lock_guard lock(mutex);
      if (Shared found = memory.find(key.text)) return found;
    }
    if (auto found = fromDisk(key, compiler, request)) return remember(key.text, std::move(*found));
    Result<Compiled> result = fresh(compiler, request, instances);
    if (!result) return std::move(result).error();
    disk.store(key, {result->ptx, result->log, result->assembled, result->ms});
    return remember(key.text, std::move(*result));
  }

  /// nvcc is asked once about a text that it does not refuse, and where its tunables may choose
  /// what is compiled, once for their values.
  Result<Shared> asNvcc(const Compiler& compiler, const CompileRequest& request,
                        Result<Shared> own) {
    Nvcc* const nvcc = compilers.nvccBeside();
    std::string key = request.arch + "\n";
    if (choosesCode(request.source.text))
      for (const auto& [name, value] : request.tunables)
        key += name + "=" + std::to_string(value) + "\n";
    key += "\n" + request.source.text;
    {
      const std::lock_guard lock(mutex);
      if (own && passedNvcc.contains(key)) return own;
    }
    const Status without = own ? Status() : Status(own.error());
    const Status passed =
        asNvccWould({request.source, without,
                     (compiler.name() == "nvrtc" ? "NVRTC " : "clang ") + compiler.version(),
                     [&] { return nvcc != nullptr ? nvcc->ask(request) : NvccAnswer{}; }});
    if (!passed) return passed.error();
    const std::lock_guard lock(mutex);
    if (nvcc != nullptr) passedNvcc.insert(key);
    return own;
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
  Result<Shared> made = state_->made(compiler, here);
  return request.asNvcc ? state_->asNvcc(compiler, request, std::move(made)) : made;
}

Result<std::string> CompileService::description() const {
  const Result<Compiler*> compiler = state_->compilers.usual();
  if (!compiler) return compiler.error();
  return (*compiler)->name() + " " + (*compiler)->version() + state_->compilers.note();
}

}  // namespace tilestep::compile
