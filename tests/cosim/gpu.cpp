// SPDX-License-Identifier: Apache-2.0
#include "cosim/gpu.h"

#include "cosim/kernel.h"
#include "cosim/values.h"
#include "device/cuda/driver/context.h"

namespace tilestep::cosim {
namespace {

constexpr uint32_t kBlock = 32;

class Gpu {
 public:
  Gpu(cuda::ContextPtr context, cuda::LoadedModule module)
      : context_(std::move(context)), module_(std::move(module)) {}

  Result<std::vector<uint64_t>> run(const Form& form, const std::string& entry, uint32_t cases) {
    const std::vector<uint64_t> values = valuesOf(form, cases);
    std::vector<uint64_t> results(form.results.size() * size_t{cases}, 0);
    auto function = cuda::findFunction(*context_, module_, entry);
    if (!function) return function.error();
    auto in = upload(values), out = upload(results);
    if (!in || !out) return (in ? out : in).error();
    cuda::DevicePointer inAt = in->get(), outAt = out->get();
    void* parameters[] = {&inAt, &outAt, &cases};
    const cuda::Api& api = context_->api();
    const auto launched = api.launchKernel(*function, cases / kBlock, 1, 1, kBlock, 1, 1, 0,
                                           nullptr, parameters, nullptr);
    if (Status s = context_->check(launched, form.text); !s) return s.error();
    if (Status s = context_->check(api.ctxSynchronize(), form.text); !s) return s.error();
    const auto copied = api.memcpyDtoH(results.data(), outAt, results.size() * sizeof(uint64_t));
    if (Status s = context_->check(copied, form.text); !s) return s.error();
    return results;
  }

 private:
  Result<cuda::Memory> upload(const std::vector<uint64_t>& values) {
    const size_t bytes = values.size() * sizeof(uint64_t);
    auto memory = cuda::allocate(context_, bytes, "values");
    if (!memory) return memory.error();
    if (Status s = cuda::copyToGpu(*context_, memory->get(), values.data(), bytes, "Copying"); !s) {
      return s.error();
    }
    return memory;
  }

  cuda::ContextPtr context_;
  cuda::LoadedModule module_;
};

}  // namespace

Status runOnGpu(std::span<const Form> forms, uint32_t cases, const Told& tell) {
  auto driver = cuda::Driver::open();
  if (!driver) return driver.error();
  auto context = cuda::Context::open(*driver, 0);
  if (!context) return context.error();
  auto module = cuda::loadModule(*context, moduleOf(forms));
  if (!module) return module.error();
  Gpu gpu(*context, std::move(*module));
  for (size_t i = 0; i < forms.size(); ++i) {
    auto results = gpu.run(forms[i], entryOf(i), cases);
    if (!results) return results.error();
    tell(i, *results);
  }
  return {};
}

}  // namespace tilestep::cosim
