// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/library_kernel.h"

#include "base/library_product.h"
#include "base/nearest_name.h"

namespace tilestep::compile {
namespace {

constexpr const char* kFp32 =
    R"(summary = "NVIDIA's matrix product in FP32, in cuBLAS's pedantic mode: a yardstick."
reference = "matmul"
)";
constexpr const char* kFp32Default =
    R"(summary = "NVIDIA's matrix product in FP32, in cuBLAS's default mode."
reference = "matmul"
)";
constexpr const char* kTf32 =
    R"(summary = "NVIDIA's matrix product on tensor cores, with factors rounded to 10 bits (TF32)."
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

const char* headOf(std::string_view name) {
  if (name == kCublasFp32Default) return kFp32Default;
  return name == kCublasTf32 ? kTf32 : kFp32;
}

}  // namespace

Result<KernelSource> libraryKernel(const std::string& name) {
  if (!isLibraryProduct(name)) {
    return requestError("there is no library product '" + name + "'; there are " +
                        listed({kLibraryProducts.begin(), kLibraryProducts.end()}));
  }
  const std::string head = "entry = \"" + name + "\"\ntitle = \"" +
                           std::string(libraryTitle(name)) + "\"\n" + headOf(name);
  return KernelSource{name, "/*---\n" + head + kProduct + "---*/\n", {}};
}

}  // namespace tilestep::compile
