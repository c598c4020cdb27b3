// SPDX-License-Identifier: Apache-2.0
#include "app/kernel_choice.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "app/environment.h"
#include "base/files.h"
#include "base/nearest_name.h"
#include "base/printable.h"
#include "compile/front_matter/entry_choice.h"
#include "compile/front_matter/front_matter.h"
#include "lab/figures.h"

namespace tilestep::app {
namespace {

struct Assignment {
  std::string name, value;
};

Result<Assignment> assignmentOf(const std::string& text, const std::string& option) {
  const size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    return requestError(option + " must be NAME=VALUE, such as TILE_WIDTH=16, not '" + text + "'");
  }
  return Assignment{text.substr(0, at), text.substr(at + 1)};
}

/// Adds an axis and removes its names from earlier ones, because later options win.
void replaceAxis(std::vector<lab::Axis>& axes, lab::Axis axis) {
  for (lab::Axis& earlier : axes) {
    std::erase_if(earlier.names, [&](const std::string& name) {
      return std::find(axis.names.begin(), axis.names.end(), name) != axis.names.end();
    });
  }
  std::erase_if(axes, [](const lab::Axis& earlier) { return earlier.names.empty(); });
  axes.push_back(std::move(axis));
}

Status checkName(const std::string& name, const std::vector<std::string>& known,
                 const std::string& what, const std::string& kernel) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  if (known.empty())
    return requestError(kernel + " has no " + what + "s, so " + name + " cannot be set");
  return requestError(kernel + " has no " + what + " " + name + "; it has " + listed(known) +
                      ". Nearest: " + nearestName(name, known) + ".");
}

Status addAxis(std::vector<lab::Axis>& axes, std::vector<std::string> names,
               const std::string& values) {
  Result<std::vector<int64_t>> parsed = lab::parseValues(values);
  if (!parsed) return parsed.error();
  replaceAxis(axes, {std::move(names), std::move(parsed).value()});
  return {};
}

std::vector<std::string> sizeNames(const compile::KernelSpec& spec) {
  std::vector<std::string> names;
  for (const auto& [name, value] : lab::orderedSizes(spec.sizes)) names.push_back(name);
  return names;
}

/// The sizes that a bare --size sets.
std::vector<std::string> squareNames(const compile::KernelSpec& spec) {
  std::vector<std::string> names;
  for (const char* name : {"m", "n", "k"}) {
    if (spec.sizes.contains(name)) names.push_back(name);
  }
  return names.empty() ? sizeNames(spec) : names;
}

Status addNamed(std::vector<lab::Axis>& axes, const std::string& text, const std::string& option,
                const std::vector<std::string>& known, const std::string& what,
                const std::string& kernel) {
  const Result<Assignment> assignment = assignmentOf(text, option);
  if (!assignment) return assignment.error();
  if (Status named = checkName(assignment->name, known, what, kernel); !named) return named;
  return addAxis(axes, {assignment->name}, assignment->value);
}

Status addSizes(const Choice& choice, const compile::KernelSpec& spec, Axes& axes) {
  const std::vector<std::string> known = sizeNames(spec);
  for (const std::string& text : choice.sizes) {
    const bool bare = text.find('=') == std::string::npos;
    Status added = bare ? addAxis(axes.sizes, squareNames(spec), text)
                        : addNamed(axes.sizes, text, "--size", known, "size", spec.name);
    if (!added) return added;
  }
  const std::pair<const char*, const std::string&> sides[] = {
      {"m", choice.m}, {"n", choice.n}, {"k", choice.k}};
  for (const auto& [name, values] : sides) {
    if (values.empty()) continue;
    if (Status named = checkName(name, known, "size", spec.name); !named) return named;
    if (Status added = addAxis(axes.sizes, {name}, values); !added) return added;
  }
  return {};
}

Status bind(const std::vector<lab::Axis>& axes, compile::Bindings& bindings) {
  for (const lab::Axis& axis : axes) {
    if (axis.values.size() != 1) {
      return requestError(axis.names.front() +
                          " accepts one value here; tilestep sweep accepts several");
    }
    for (const std::string& name : axis.names) bindings[name] = axis.values.front();
  }
  return {};
}

/// If the kernel was found by its name: the error of the user's own file with that name, which the
/// shipped kernel hides.
std::optional<Error> hiddenBy(const compile::KernelSource& kernel, const std::string& nameOrPath) {
  const Result<std::filesystem::path> home = findHome();
  if (!home || kernel.path == nameOrPath) return std::nullopt;
  const std::string name = compile::nameOf(kernel);
  for (const compile::CatalogueEntry& file :
       compile::hiddenKernels((*home / "kernels").string(), ownKernelFolder()))
    if (compile::nameOf(file.source) == name) return file.error;
  return std::nullopt;
}

/// The file of the exercise called `name`; `name` itself if there is no such exercise.
std::string exerciseOr(const std::string& name, const std::string& kernels) {
  if (name.find('/') != std::string::npos) return name;
  const std::filesystem::path file =
      std::filesystem::path(kernels).parent_path() / "assets" / "exercises" / (name + ".cu");
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) ? file.string() : name;
}

Result<std::string> shippedKernelFolder() {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return home.error();
  return (*home / "kernels").string();
}

}  // namespace

std::string ownKernelFolder() {
  const std::filesystem::path data = dataFolder();
  return data.empty() ? std::string() : (data / "kernels").string();
}

Result<compile::KernelSource> readKernel(const std::string& nameOrPath, const std::string& entry) {
  const Result<std::string> folder = shippedKernelFolder();
  if (!folder) return folder.error();
  Result<compile::KernelSource> source =
      compile::findKernel(*folder, nameOrPath, ownKernelFolder());
  if (!source && exerciseOr(nameOrPath, *folder) != nameOrPath)
    return requestError(nameOrPath + " is an exercise: tilestep run --spec " + nameOrPath +
                        " my.cu");
  if (!source) return source.error();
  return compile::withEntry(std::move(*source), entry);
}

Result<Kernel> loadKernel(const std::string& nameOrPath, const std::string& entry) {
  Result<compile::KernelSource> source = readKernel(nameOrPath, entry);
  if (!source) return source.error();
  Result<compile::KernelSpec> spec = compile::parseKernel(*source);
  if (!spec) return spec.error();
  std::optional<Error> hidden = hiddenBy(*source, nameOrPath);
  return Kernel{std::move(source).value(), std::move(spec).value(), std::move(hidden)};
}

Result<compile::Spec> loadSpec(const std::string& nameOrFile) {
  const Result<std::string> folder = shippedKernelFolder();
  if (!folder) return folder.error();
  return compile::readSpec(*folder, exerciseOr(nameOrFile, *folder), ownKernelFolder());
}

Result<Kernel> loadKernel(const std::string& nameOrPath, const std::string& entry,
                          const std::string& spec) {
  if (spec.empty()) return loadKernel(nameOrPath, entry);
  const Result<compile::Spec> required = loadSpec(spec);
  if (!required) return required.error();
  const Result<std::string> folder = shippedKernelFolder();
  if (!folder) return folder.error();
  Result<compile::KernelSource> file = compile::findKernel(*folder, nameOrPath, ownKernelFolder());
  if (!file) return file.error();
  file->entry = entry;
  Result<compile::SpecifiedKernel> kernel = compile::withSpec(*file, *required);
  if (!kernel) return kernel.error();
  return Kernel{std::move(kernel->source), std::move(kernel->spec), hiddenBy(*file, nameOrPath)};
}

void sayNotes(const Kernel& kernel) {
  if (kernel.hidden) say("tilestep: " + kernel.hidden->message);
  for (const compile::Assumption& one : kernel.spec.assumed) {
    const std::string line = one.line > 0 ? ":" + std::to_string(one.line) : std::string();
    say(printableLine(kernel.source.path) + line + ": assumed " + one.what + ": " + one.value);
  }
}

Result<Axes> axesOf(const Choice& choice, const compile::KernelSpec& spec) {
  Axes axes;
  if (Status added = addSizes(choice, spec, axes); !added) return added.error();
  std::vector<std::string> known;
  for (const compile::TunableSpec& tunable : spec.tunables) known.push_back(tunable.name);
  for (const std::string& text : choice.tunables) {
    Status added = addNamed(axes.tunables, text, "--set", known, "tunable", spec.name);
    if (!added) return added.error();
  }
  return axes;
}

Result<Chosen> chosenOf(const Choice& choice, const compile::KernelSpec& spec) {
  const Result<Axes> axes = axesOf(choice, spec);
  if (!axes) return axes.error();
  Chosen chosen;
  if (Status bound = bind(axes->sizes, chosen.sizes); !bound) return bound.error();
  if (Status bound = bind(axes->tunables, chosen.tunables); !bound) return bound.error();
  return chosen;
}

}  // namespace tilestep::app
