// SPDX-License-Identifier: Apache-2.0
#include "compile/entry_choice.h"

#include <algorithm>

#include "compile/entries.h"
#include "compile/front_matter.h"
#include "compile/kernel_heads.h"
#include "compile/launched_kernel.h"
#include "compile/nearest_name.h"
#include "compile/text_lines.h"

namespace tilestep::compile {
namespace {

constexpr std::string_view kChoose = "choose one with --entry NAME";

/// "sums::reduce" of "sums::reduce<256>".
std::string withoutArguments(const std::string& entry) {
  return entry.substr(0, entry.find('<'));
}

/// "<256>" of "reduce<256>"; empty where there are none.
std::string argumentsOf(const std::string& entry) {
  const size_t open = entry.find('<');
  return open == std::string::npos ? "" : entry.substr(open);
}

/// Whether `name`, with or without its namespaces, means the function.
bool means(const std::string& name, const KernelHead& kernel) {
  return kernel.qualified == name || kernel.qualified.ends_with("::" + name);
}

class EntryChoice {
 public:
  EntryChoice(const KernelSource& source, std::string fileName)
      : source_(source), fileName_(std::move(fileName)) {
    const CudaTokens tokens = cudaTokens(source.text);
    kernels_ = kernelHeads(source.text, tokens);
    macros_ = std::ranges::any_of(tokens, [](const CudaToken& token) {
      return token.kind == CudaToken::Kind::directive &&
             token.text.find("__global__") != std::string_view::npos;
    });
  }

  /// The function that is asked for; null where macros make functions and none of those that the
  /// text shows is meant.
  Result<const KernelHead*> asked() const {
    const std::string name = withoutArguments(source_.entry);
    if (!isEntryName(source_.entry)) {
      return requestError(
          "--entry takes the name of a __global__ function, such as reduce or "
          "reduce<256>, and not '" +
          source_.entry + "'");
    }
    const Result<const KernelHead*> found = named(name);
    if (!found || *found != nullptr || macros_) return found;
    return atKernels(fileHas(name) + "; " + std::string(kChoose));
  }

  /// Without a name: the only function, or the one of the file's name.
  Result<const KernelHead*> unnamed(bool hasFrontMatter) const {
    if (kernels_.size() == 1) return &kernels_.front();
    const Result<const KernelHead*> found = named(fileName_);
    if (!found || *found != nullptr || kernels_.empty()) return found;
    return atKernels("this file has several __global__ functions: " + listedKernels(kernels_) +
                     "; " + std::string(kChoose) +
                     (hasFrontMatter ? ", or write entry = \"NAME\" in the front matter" : ""));
  }

  /// Null where there is none of the name; an Error where several namespaces have one.
  Result<const KernelHead*> named(const std::string& name) const {
    const KernelHead* found = nullptr;
    for (const KernelHead& kernel : kernels_) {
      if (!means(name, kernel)) continue;
      if (found != nullptr && found->qualified != kernel.qualified) return twice(*found, kernel);
      found = &kernel;
    }
    return found;
  }

  [[nodiscard]] std::string fileHas(const std::string& missing) const {
    const std::string none = "this file has no __global__ function";
    if (kernels_.empty()) return none;
    return none + " " + missing + "; it has " + listedKernels(kernels_);
  }
  [[nodiscard]] const std::vector<KernelHead>& kernels() const { return kernels_; }
  [[nodiscard]] bool macros() const { return macros_; }

  [[nodiscard]] Error at(int line, std::string message) const {
    Error error = requestError(std::move(message));
    error.where = TextLocation{source_.path, line, 0};
    error.sourceLine = lineOf(source_.text, line);
    return error;
  }

 private:
  [[nodiscard]] Error atKernels(std::string message) const {
    return at(kernels_.empty() ? 1 : kernels_.front().line, std::move(message));
  }
  /// Functions are found by their last names in what the compiler makes.
  [[nodiscard]] Error twice(const KernelHead& one, const KernelHead& other) const {
    return at(other.line, "two __global__ functions are called " + other.name + ": " +
                              listedKernels(std::vector{one, other}) +
                              "; give one of them another name");
  }

  const KernelSource& source_;
  std::string fileName_;
  std::vector<KernelHead> kernels_;
  bool macros_ = false;  ///< The text does not show every function.
};

/// Settles one kernel's entries, one after another.
class Settler {
 public:
  Settler(const KernelSource& source, const EntryPlaces& places, KernelSpec& spec)
      : source_(source), places_(places), spec_(spec), choice_(source, spec.name) {}

  Status run() {
    const bool allNamed = std::ranges::none_of(
        spec_.launches, [](const LaunchSpec& launch) { return launch.entry.empty(); });
    if (allNamed && !source_.entry.empty() && !spec_.launches.empty()) {
      return choice_.at(1,
                        "each launch of this kernel names its own function, so --entry has "
                        "nothing to choose; leave it out");
    }
    for (size_t i = 0; i < spec_.launches.size(); ++i) {
      if (spec_.launches[i].entry.empty()) continue;
      const Status settled = written(spec_.launches[i].entry, places_.ofLaunches[i]);
      if (!settled) return settled;
    }
    if (allNamed && spec_.entry.empty()) {
      spec_.entry = spec_.launches.empty() ? spec_.name : spec_.launches.front().entry;
      return {};
    }
    if (!source_.entry.empty()) return asked();
    return spec_.entry.empty() ? unnamed() : written(spec_.entry, places_.entry);
  }

 private:
  /// By --entry.
  Status asked() {
    const Result<const KernelHead*> found = choice_.asked();
    if (!found) return found.error();
    std::string arguments = argumentsOf(source_.entry);
    const bool sameFunction = *found != nullptr && means(withoutArguments(spec_.entry), **found);
    if (arguments.empty() && sameFunction) arguments = argumentsOf(spec_.entry);
    if (*found != nullptr) return take(**found, arguments, spec_.entry);
    spec_.entry = source_.entry;
    return {};
  }

  Status unnamed() {
    const Result<const KernelHead*> found = choice_.unnamed(true);
    if (!found) return found.error();
    if (*found == nullptr) {  // Nothing in the text looks like a kernel: the compiler will tell.
      spec_.entry = spec_.name;
      if (isEntryName(spec_.entry)) return {};
      return choice_.at(1, choice_.fileHas("") + "; write one, or name it by entry = \"NAME\"");
    }
    if ((*found)->name != spec_.name) assume(**found, (*found)->qualified);
    return take(**found, {}, spec_.entry);
  }

  /// As front matter has it on `line`.
  Status written(std::string& entry, int line) {
    const std::string name = withoutArguments(entry), arguments = argumentsOf(entry);
    const Result<const KernelHead*> found = choice_.named(name);
    if (!found) return found.error();
    if (*found != nullptr) return take(**found, arguments, entry);
    if (choice_.macros() || choice_.kernels().empty()) return {};
    if (choice_.kernels().size() == 1) {
      const KernelHead& only = choice_.kernels().front();
      assume(only, only.qualified + (only.isTemplate ? arguments : ""));
      return take(only, only.isTemplate ? arguments : "", entry);
    }
    Error error = requestError("entry is " + name + ", and " + choice_.fileHas(name) +
                               "; name one of them here, or " + std::string(kChoose));
    error.where = TextLocation{places_.file, line, 0};
    error.sourceLine = lineOf(places_.text, line);
    return error;
  }

  void assume(const KernelHead& kernel, std::string value) {
    const Assumption assumption{"entry", std::move(value), kernel.line};
    if (std::ranges::find(spec_.assumed, assumption) == spec_.assumed.end())
      spec_.assumed.push_back(assumption);
  }

  Status take(const KernelHead& kernel, std::string arguments, std::string& entry) {
    if (kernel.isTemplate && arguments.empty()) {
      const Result<std::string> seen = argumentsFor(kernel);
      if (!seen) return seen.error();
      arguments = *seen;
      spec_.assumed.push_back({"template arguments", arguments, kernel.line});
    }
    entry = (kernel.isTemplate ? kernel.qualified : kernel.name) + arguments;
    spec_.entryLine = kernel.line;
    return {};
  }

  /// Those of the first launch in the text, or none where all have defaults.
  Result<std::string> argumentsFor(const KernelHead& kernel) const {
    for (const LaunchedKernel& launched : launchedKernels(source_.text)) {
      if (launched.qualified != kernel.qualified) continue;
      if (!launched.instance.empty()) return "<" + launched.instance + ">";
      if (launched.templateDefaults) return std::string("<>");
    }
    return choice_.at(kernel.line, kernel.name +
                                       " is a template; name its arguments, as in --entry '" +
                                       kernel.name + "<256>' or entry = \"" + kernel.name +
                                       "<256>\" in the front matter");
  }

  const KernelSource& source_;
  const EntryPlaces& places_;
  KernelSpec& spec_;
  EntryChoice choice_;
};

}  // namespace

Status settleEntries(const KernelSource& source, const EntryPlaces& places, KernelSpec& spec) {
  return Settler(source, places, spec).run();
}

KernelSource withEntry(KernelSource source, const std::string& entry) {
  source.entry.clear();
  if (entry.empty()) return source;
  const Result<KernelSpec> usual = parseKernel(source);
  source.entry = entry;
  const Result<KernelSpec> asked = parseKernel(source);
  const auto isSame = [](const LaunchSpec& one, const LaunchSpec& other) {
    return one.entry == other.entry;
  };
  if (usual && asked && usual->entry == asked->entry &&
      std::ranges::equal(usual->launches, asked->launches, isSame))
    source.entry.clear();
  return source;
}

Status checkEntryIsClear(const KernelSource& source) {
  const EntryChoice choice(source, stemOf(source.path));
  if (choice.kernels().empty() && !choice.macros()) return choice.at(1, choice.fileHas(""));
  const Result<const KernelHead*> found =
      source.entry.empty() ? choice.unnamed(false) : choice.asked();
  return found ? Status() : Status(found.error());
}

}  // namespace tilestep::compile
