// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/entry_choice.h"

#include <algorithm>

#include "base/text_lines.h"
#include "compile/front_matter/entries.h"
#include "compile/front_matter/front_matter.h"
#include "compile/text/function_choice.h"
#include "compile/text/template_arguments.h"

namespace tilestep::compile {
namespace {

/// Resolves the entries of one kernel.
class Settler {
 public:
  Settler(const KernelSource& source, const EntryPlaces& places, KernelSpec& spec)
      : source_(source), places_(places), spec_(spec), choice_(source, spec.name) {}

  Status run() {
    const bool allNamed = std::ranges::none_of(
        spec_.launches, [](const LaunchSpec& launch) { return launch.entry.empty(); });
    if (allNamed && !source_.entry.empty() && !spec_.launches.empty()) {
      return choice_.at(1,
                        "each launch of this kernel specifies its function, so --entry has "
                        "nothing to choose; omit it");
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
  /// Uses the function requested by --entry.
  Status asked() {
    const Result<const KernelHead*> found = choice_.asked();
    if (!found) return found.error();
    std::string arguments = argumentsOf(source_.entry);
    const bool sameFunction = *found != nullptr && means(withoutArguments(spec_.entry), **found);
    if (arguments.empty() && sameFunction && (*found)->isTemplate)
      arguments = argumentsOf(spec_.entry);
    if (*found != nullptr) return take(**found, arguments, spec_.entry);
    spec_.entry = source_.entry;
    return {};
  }

  Status unnamed() {
    const Result<const KernelHead*> found = choice_.unnamed(true);
    if (!found) return found.error();
    if (*found == nullptr) {  // The kernel is not visible in the source; the compiler decides.
      spec_.entry = spec_.name;
      if (isEntryName(spec_.entry)) return {};
      return choice_.at(1,
                        choice_.fileHas("") + "; write one, or specify it with entry = \"NAME\"");
    }
    if ((*found)->name != spec_.name) assume(**found, (*found)->qualified);
    return take(**found, {}, spec_.entry);
  }

  /// Uses the entry that the front matter names on `line`.
  Status written(std::string& entry, int line) {
    const std::string name = withoutArguments(entry), arguments = argumentsOf(entry);
    const Result<const KernelHead*> found = choice_.named(name);
    if (!found) return found.error();
    if (*found != nullptr) {
      const std::string why = choice_.misfit(**found, arguments);
      return why.empty() ? take(**found, arguments, entry) : Status(atEntry(line, why));
    }
    if (!choice_.complete() || choice_.kernels().empty()) return {};
    if (choice_.kernels().size() == 1) {
      const KernelHead& only = choice_.kernels().front();
      assume(only, only.qualified + (only.isTemplate ? arguments : ""));
      return take(only, only.isTemplate ? arguments : "", entry);
    }
    return atEntry(line, "entry is " + name + ", and " + choice_.fileHas(name) +
                             "; name one of them here, or choose one with --entry NAME");
  }

  /// An error at the entry's name in front matter.
  [[nodiscard]] Error atEntry(int line, std::string message) const {
    Error error = requestError(std::move(message));
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

  /// The template arguments of the source's first launch, or `<>` if all arguments have defaults.
  Result<std::string> argumentsFor(const KernelHead& kernel) const {
    const CudaTokens tokens = cudaTokens(source_.text);
    const std::string launched = launchedArguments(tokens, kernel.name);
    if (!launched.empty()) return "<" + launched + ">";
    if (hasAllDefaults(tokens, kernel)) return std::string("<>");
    return choice_.at(kernel.line, kernel.name +
                                       " is a template; give its arguments, as in --entry '" +
                                       kernel.name + "<256>' or entry = \"" + kernel.name +
                                       "<256>\" in the front matter");
  }

  const KernelSource& source_;
  const EntryPlaces& places_;
  KernelSpec& spec_;
  FunctionChoice choice_;
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
  const FunctionChoice choice(source, stemOf(source.path));
  if (choice.kernels().empty() && choice.complete()) return choice.at(1, choice.fileHas(""));
  const Result<const KernelHead*> found =
      source.entry.empty() ? choice.unnamed(false) : choice.asked();
  return found ? Status() : Status(found.error());
}

}  // namespace tilestep::compile
