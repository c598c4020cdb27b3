// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "device/cuda/driver/context.h"

/// NVIDIA's cuBLAS, opened at run time through prototypes of our own (cuBLAS documentation,
/// "cublas<t>gemm()" and "cuBLAS Helper Functions"): the reference that kernels are compared with.
namespace tilestep::cuda::cublas {

struct Library;

/// Opens the library and never closes it, because it keeps threads and kernels of its own.
/// The Error says where it was looked for and what to install.
Result<std::shared_ptr<const Library>> open();
/// "13.0"
[[nodiscard]] const std::string& versionOf(const Library& library);

/// Row-major P = M · N: M is m×k, N is k×n, P is m×n, all f32.
struct Product {
  std::string name;  ///< One of kLibraryProducts.
  uint64_t m = 0, n = 0, k = 0;
  uint64_t left = 0, right = 1, out = 2;  ///< Indices of M, N and P among the launch's parameters.
};

/// A handle on a context with a workspace of its own, so that no product allocates anything.
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
  std::string mode_;  ///< The name of the product that it is set to.
};

}  // namespace tilestep::cuda::cublas
