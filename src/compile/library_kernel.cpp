// SPDX-License-Identifier: Apache-2.0
#include "compile/library_kernel.h"

#include "base/library_product.h"

namespace tilestep::compile {
namespace {

constexpr const char* kFp32 = R"(title = "cuBLAS, FP32"
summary = "NVIDIA's own product in FP32 as IEEE says (pedantic mode): a mark to measure against."
reference = "matmul"
)";
constexpr const char* kTf32 = R"(title = "cuBLAS, TF32"
summary = "NVIDIA's own product on tensor cores, whose factors keep 10 bits: another arithmetic."
reference = "matmul_tf32"
)";
constexpr const char* kProduct = R"(operations = "2 * m * n * k"

[sizes]
m = 1024
n = 1024
k = 1024

[[operand]]
name = "M"
rows = "m"
columns = "k"

[[operand]]
name = "N"
rows = "k"
columns = "n"

[[operand]]
name = "P"
rows = "m"
columns = "n"
direction = "out"

[launch]
block = ["1"]
grid = ["1"]
)";

}  // namespace

Result<KernelSource> libraryKernel(const std::string& name) {
  if (!isLibraryProduct(name)) {
    return requestError("there is no library's product '" + name + "'; there are " +
                        std::string(kCublasFp32) + " and " + std::string(kCublasTf32));
  }
  const std::string head = "entry = \"" + name + "\"\n" + (name == kCublasFp32 ? kFp32 : kTf32);
  return KernelSource{name, "/*---\n" + head + kProduct + "---*/\n", {}};
}

}  // namespace tilestep::compile
