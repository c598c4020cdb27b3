// SPDX-License-Identifier: Apache-2.0
#include "gpu/gpu_job.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "lab/job.h"
#include "ptx/text/parser.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/toolkit.h"

namespace tilestep::test {
namespace {

compile::CompileService::Options options() {
  compile::CompileService::Options options;
  options.home = homeFolder();
  return options;
}

}  // namespace

std::string homeFolder() {
  const Result<std::filesystem::path> found = findHome();
  return found ? found.value().string() : support::sourceRoot();
}

JobMaker::JobMaker() : service_(options()) {}

Result<std::shared_ptr<const compile::Compiled>> JobMaker::compile(
    const compile::KernelSource& source, const compile::Bindings& tunables,
    const std::string& arch) {
  compile::CompileRequest request;
  request.source = source;
  request.tunables = tunables;
  if (!arch.empty()) request.arch = arch;
  return service_.compile(request);
}

Result<std::shared_ptr<const compile::Compiled>> JobMaker::probe(const std::string& name,
                                                                 bool relocatable) {
  compile::CompileRequest request;
  request.source.path = "kernels/probes/" + name + ".cu";
  Result<std::string> text = readTextFile(homeFolder() + "/" + request.source.path);
  if (!text) return text.error();
  request.source.text = *text;
  request.relocatable = relocatable;
  return service_.compile(request);
}

Result<device::Job> JobMaker::make(const compile::KernelSource& source,
                                   const compile::Bindings& sizes,
                                   const compile::Bindings& tunables, const Limits& limits) {
  Result<compile::KernelSpec> spec = compile::parseKernel(source);
  if (!spec) return spec.error();
  Result<compile::Plan> plan = compile::plan(*spec, sizes, tunables, limits);
  if (!plan) return plan.error();
  auto compiled = compile(source, plan->tunables, spec->arch);
  if (!compiled) return compiled.error();
  auto probes = probe("count", true);
  if (!probes) return probes.error();
  device::Job job;
  job.module = (*compiled)->module;
  job.ptx = (*compiled)->ptx;
  job.probes = (*probes)->module;
  job.operands = lab::operandsOf(*plan);
  job.launches = plan->launches;
  return job;
}

Result<device::Job> JobMaker::shipped(const std::string& kernel, const compile::Bindings& sizes,
                                      const compile::Bindings& tunables, const Limits& limits) {
  Result<compile::KernelSource> source = compile::findKernel(homeFolder() + "/kernels", kernel);
  if (!source) return source.error();
  return make(*source, sizes, tunables, limits);
}

Result<compile::KernelSpec> JobMaker::spec(const std::string& kernel) {
  Result<compile::KernelSource> source = compile::findKernel(homeFolder() + "/kernels", kernel);
  if (!source) return source.error();
  return compile::parseKernel(*source);
}

Result<device::Job> JobMaker::fromText(const std::string& text, const compile::Bindings& sizes) {
  return make({"kernels/test.cu", text, ""}, sizes, {}, {});
}

Result<device::Job> JobMaker::fromPtx(const std::string& text, const Launch& launch,
                                      uint64_t elements) {
  Result<ptx::Module> module = ptx::parse(text);
  if (!module) return module.error();
  auto probes = probe("count", true);
  if (!probes) return probes.error();
  device::Job job;
  job.module = std::make_shared<ptx::Module>(std::move(*module));
  job.ptx = text;
  job.probes = (*probes)->module;
  for (const char* name : {"M", "N", "P"}) {
    device::Operand& operand = job.operands.emplace_back();
    operand.name = name;
    operand.direction = Direction::inout;
    operand.fill = Fill::zero;
    operand.elements = elements;
  }
  job.launches = {launch};
  return job;
}

std::string kernelText(const std::string& body) {
  return "/*---\nentry = \"test\"\nsizes = { n = 1000 }\n[launch]\nblock = [\"32\"]\n"
         "grid = [\"ceildiv(n, 32)\"]\n[[operand]]\nname = \"P\"\nextent = \"n\"\n"
         "direction = \"out\"\n[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n" +
         body;
}

std::unique_ptr<device::Device> openFirstGpu() {
  Result<std::unique_ptr<device::Device>> device = device::openCuda(0);
  return device ? std::move(*device) : nullptr;
}

std::string gpuTrouble() {
  const Result<std::unique_ptr<device::Device>> device = device::openCuda(0);
  return device ? "" : toString(device.error());
}

void skipRefused(const std::string& why) {
  if (const auto absent = support::whyNoToolkitLibrary("libcupti.so")) {
    GTEST_SKIP() << support::because(support::kNoToolkit, *absent);
  }
  if (why.find("came with CUDA 12.6") != std::string::npos) {
    GTEST_SKIP() << support::because(support::kOldToolkit, why);
  }
  ASSERT_FALSE(has(why, "CUPTI failed at"));
  ASSERT_TRUE(why.starts_with("No hardware counters: ")) << why;
  GTEST_SKIP() << support::because(support::kNoHardwareCounters, why);
}

}  // namespace tilestep::test
