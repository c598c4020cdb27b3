// SPDX-License-Identifier: Apache-2.0
#include "lab/run/kernel_builds.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/files.h"

namespace tilestep::lab {
namespace {

/// The minimum for a compiler, whatever the run's limit: textbook kernels need about half of it.
constexpr uint64_t kLeastCompilerBytes = uint64_t{512} << 20;

}  // namespace

compile::CompileRequest KernelBuilds::requestFor(const Experiment& experiment,
                                                 const compile::Plan& plan, const std::string& arch,
                                                 uint64_t memoryBytes) {
  compile::CompileRequest request{experiment.source, plan.tunables, arch};
  request.byClang = experiment.dataOf.has_value();
  if (memoryBytes != 0)
    request.limits.memoryBytes =
        std::clamp(memoryBytes, kLeastCompilerBytes, request.limits.memoryBytes);
  return request;
}

Result<KernelBuilds::Build> KernelBuilds::make(compile::CompileRequest request,
                                               const device::Stop& stop) {
  const std::string what = "compiling " + request.source.path;
  if (stop()) return stop.why(what);
  const auto left = std::chrono::duration<double>(stop.secondsLeft());
  if (left < request.limits.time.clock)
    request.limits.time.clock = std::chrono::ceil<std::chrono::milliseconds>(left);
  request.limits.cancelled = [&stop] { return stop.wasCancelled(); };
  Result<Build> made = compiler_.compile(request);
  // An error in the source is more useful than the fact that the compilation was stopped.
  if (made || made.error().kind == ErrorKind::request || !stop()) return made;
  return stop.why(what);
}

Result<KernelBuilds::Build> KernelBuilds::probe(const std::string& name, const std::string& arch,
                                                bool relocatable, const device::Stop& stop) {
  const std::string path = "kernels/probes/" + name + ".cu";
  Result<std::string> text = readTextFile(home_ + "/" + path);
  if (!text) return text.error();
  return make({{path, std::move(text).value(), {}}, {}, arch, relocatable}, stop);
}

}  // namespace tilestep::lab
