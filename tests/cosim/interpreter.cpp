// SPDX-License-Identifier: Apache-2.0
#include "cosim/interpreter.h"

#include "cosim/kernel.h"
#include "cosim/values.h"
#include "ptx/text/parser.h"
#include "simt/grid.h"

namespace tilestep::cosim {

Result<std::vector<uint64_t>> interpret(const Form& form, uint32_t cases,
                                        const simt::Engine* engine) {
  return interpret(moduleOf({&form, 1}), form, cases, engine);
}

Result<std::vector<uint64_t>> interpret(const std::string& text, const Form& form, uint32_t cases,
                                        const simt::Engine* engine) {
  auto module = ptx::parse(text, form.text);
  if (!module) return module.error();
  std::vector<uint64_t> values = valuesOf(form, cases);
  std::vector<uint64_t> results(form.results.size() * size_t{cases}, 0);
  simt::GridRequest request;
  request.module = &*module;
  request.launch = {entryOf(0), {cases / simt::kLanes, 1, 1}, {simt::kLanes, 1, 1}, 0};
  for (auto* memory : {&values, &results}) {
    request.parameters.push_back(simt::addressOf(request.buffers.size()));
    request.buffers.push_back({"", "", reinterpret_cast<uint8_t*>(memory->data()),
                               memory->size() * sizeof(uint64_t), nullptr, true});
  }
  request.parameters.push_back(cases);
  request.engine = engine;
  auto result = simt::runGrid(request, {});
  if (!result) return result.error();
  if (!result->faults.empty()) return workError(result->faults.front().message);
  return results;
}

}  // namespace tilestep::cosim
