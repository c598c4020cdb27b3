// SPDX-License-Identifier: Apache-2.0
#include "support/product.h"

#include "base/files.h"
#include "ptx/text/parser.h"
#include "support/source_root.h"

namespace tilestep::bench {

constexpr uint32_t kTile = 16;

std::string productPtx(const char* kernel) {
  const std::string file = kernel == std::string(kTiled) ? "matmul_tiled_16" : kernel;
  return readTextFile(support::sourceRoot() + "/bench/data/" + file + ".ptx").value();
}

Product::Product(const char* kernel, uint32_t size) {
  module = ptx::parse(productPtx(kernel), kernel).value();
  m.assign(size_t{size} * size, 0.5F);
  n = p = m;
  request.module = &module;
  request.launch = {kernel, {size / kTile, size / kTile, 1}, {kTile, kTile, 1}, 0};
  for (auto* matrix : {&m, &n, &p}) {
    request.parameters.push_back(simt::addressOf(request.buffers.size()));
    request.buffers.push_back({"", "", reinterpret_cast<uint8_t*>(matrix->data()),
                               matrix->size() * sizeof(float), nullptr, true, size, sizeof(float)});
  }
  for (int i = 0; i < 3; ++i) request.parameters.push_back(size);
}

uint64_t Product::threadInstructions() {
  const bool before = request.counters;
  request.counters = true;
  const auto result = simt::runGrid(request, {});
  request.counters = before;
  return result->counters->total.threadInstructions;
}

}  // namespace tilestep::bench
