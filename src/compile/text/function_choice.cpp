// SPDX-License-Identifier: Apache-2.0
#include "compile/text/function_choice.h"

#include "base/text_lines.h"
#include "compile/front_matter/entries.h"

namespace tilestep::compile {
namespace {

constexpr const char* kChoose = "choose one with --entry NAME";

}  // namespace

std::string withoutArguments(const std::string& entry) {
  return entry.substr(0, entry.find('<'));
}

std::string argumentsOf(const std::string& entry) {
  const size_t open = entry.find('<');
  return open == std::string::npos ? "" : entry.substr(open);
}

bool means(const std::string& name, const KernelHead& kernel) {
  return kernel.qualified == name || kernel.qualified.ends_with("::" + name);
}

FunctionChoice::FunctionChoice(const KernelSource& source, std::string fileName)
    : source_(source),
      fileName_(std::move(fileName)),
      heads_(kernelHeads(source.text, cudaTokens(source.text))) {}

Result<const KernelHead*> FunctionChoice::asked() const {
  if (!isEntryName(source_.entry)) {
    return requestError(
        "--entry needs the name of a __global__ function, such as reduce or reduce<256>, not '" +
        source_.entry + "'");
  }
  const std::string name = withoutArguments(source_.entry);
  const Result<const KernelHead*> found = named(name);
  if (!found) return found;
  if (*found == nullptr) {
    if (!complete()) return found;
    return atKernels(fileHas(name) + (kernels().empty() ? "" : "; " + std::string(kChoose)));
  }
  const std::string why = misfit(**found, argumentsOf(source_.entry));
  if (!why.empty()) return at((*found)->line, why);
  return found;
}

Result<const KernelHead*> FunctionChoice::unnamed(bool hasFrontMatter) const {
  if (kernels().size() == 1 && complete()) return &kernels().front();
  const Result<const KernelHead*> found = named(fileName_);
  if (!found || *found != nullptr || kernels().empty()) return found;
  if (!complete() && isEntryName(fileName_)) return found;
  const std::string several =
      complete() ? "this file has several __global__ functions: "
                 : "this file may have more __global__ functions than are visible in its source: ";
  return atKernels(several + listedKernels(kernels()) + "; " + kChoose +
                   (hasFrontMatter ? ", or write entry = \"NAME\" in the front matter" : ""));
}

Result<const KernelHead*> FunctionChoice::named(const std::string& name) const {
  const KernelHead* found = nullptr;
  for (const KernelHead& kernel : kernels())
    if (found == nullptr && means(name, kernel)) found = &kernel;
  if (found == nullptr) return found;
  for (const KernelHead& other : kernels()) {
    if (&other == found || other.name != found->name) continue;
    const bool later = other.line > found->line;
    return at(later ? other.line : found->line,
              "two __global__ functions are called " + found->name + ": " +
                  listedKernels(std::vector{later ? *found : other, later ? other : *found}) +
                  "; give one of them another name");
  }
  return found;
}

std::string FunctionChoice::misfit(const KernelHead& kernel, const std::string& arguments) const {
  if (arguments.empty() || kernel.isTemplate || !complete()) return {};
  return kernel.name + " is not a template; omit " + arguments;
}

std::string FunctionChoice::fileHas(const std::string& missing) const {
  const std::string none = "this file has no __global__ function";
  if (kernels().empty()) return none;
  return none + " " + missing + "; it has " + listedKernels(kernels());
}

Error FunctionChoice::at(int line, std::string message) const {
  Error error = requestError(std::move(message));
  error.where = TextLocation{source_.path, line, 0};
  // A file without a kernel might be a private file, so it is not quoted.
  if (source_.text.find("__global__") != std::string::npos)
    error.sourceLine = lineOf(source_.text, line);
  return error;
}

Error FunctionChoice::atKernels(std::string message) const {
  return at(kernels().empty() ? 1 : kernels().front().line, std::move(message));
}

}  // namespace tilestep::compile
