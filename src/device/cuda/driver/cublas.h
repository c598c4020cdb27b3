// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "device/cuda/driver/context.h"

/// NVIDIA's cuBLAS, opened at run time through our own prototypes (cuBLAS documentation,
/// "cublas<t>gemm()" and "cuBLAS Helper Functions"): the reference for the speed of kernels.
namespace tilestep::cuda::cublas {

struct Library;

/// Opens the library and never closes it, because it keeps its own threads and kernels. The Error
/// lists the searched folders and the package to install.
Result<std::shared_ptr<const Library>> open();
/// "13.0"
[[nodiscard]] const std::string& versionOf(const Library& library);

/// Row-major P = M · N: M is m×k, N is k×n, P is m×n, all f32.
struct Product {
  std::string name;  ///< One of kLibraryProducts.
  uint64_t m = 0, n = 0, k = 0;
  uint64_t left = 0, right = 1, out = 2;  ///< Indices of M, N and P among the launch's parameters.
};

/// A handle on a context. It owns a workspace, so that no product allocates memory.
class Handle {
 public:
  static Result<std::shared_ptr<Handle>> make(const ContextPtr& context);
  ~Handle();
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  /// Enqueues the product; asynchronous. `parameters` as for cuLaunchKernel.
  Status multiply(const Product& product, StreamHandle stream, void* const* parameters);

 private:
  explicit Handle(ContextPtr context) : context_(std::move(context)) {}
  Status setUp(const std::string& name, StreamHandle stream);

  ContextPtr context_;
  std::shared_ptr<const Library> library_;
  void* handle_ = nullptr;
  Memory workspace_;
  StreamHandle stream_ = nullptr;
  std::string mode_;  ///< The product for which the handle is configured.
};

}  // namespace tilestep::cuda::cublas
