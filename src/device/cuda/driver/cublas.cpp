// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/cublas.h"

#include <dlfcn.h>

#include <limits>
#include <utility>

#include "base/library_product.h"
#include "base/toolkit.h"
#include "device/library.h"

namespace tilestep::cuda::cublas {

using BlasStatus = int;
using BlasHandle = void*;
constexpr BlasStatus kOk = 0;

struct Library {
  BlasStatus (*property)(int type, int* value) = nullptr;
  BlasStatus (*create)(BlasHandle* handle) = nullptr;
  BlasStatus (*destroy)(BlasHandle handle) = nullptr;
  BlasStatus (*setStream)(BlasHandle handle, StreamHandle stream) = nullptr;
  BlasStatus (*setWorkspace)(BlasHandle handle, void* workspace, size_t bytes) = nullptr;
  BlasStatus (*setMathMode)(BlasHandle handle, int mode) = nullptr;
  BlasStatus (*sgemm)(BlasHandle handle, int transposeA, int transposeB, int m, int n, int k,
                      const float* alpha, const float* a, int lda, const float* b, int ldb,
                      const float* beta, float* c, int ldc) = nullptr;
  const char* (*statusText)(BlasStatus status) = nullptr;  ///< Since CUDA 11.4; else null.
  std::string version;
};

namespace {

constexpr int kMajor = 0, kMinor = 1;                            // libraryPropertyType
constexpr int kDefaultMath = 0, kPedantic = 2, kTensorTf32 = 3;  // cublasMath_t
constexpr int kAsItIs = 0;                                       // CUBLAS_OP_N
constexpr uint64_t kWorkspace = uint64_t{32} << 20;  // NVIDIA's recommendation for Hopper.
constexpr const char* kNames[] = {"libcublas.so", "libcublas.so.13", "libcublas.so.12",
                                  "libcublas.so.11"};

int mathModeOf(std::string_view name) {
  if (name == kCublasTf32) return kTensorTf32;
  return name == kCublasFp32Default ? kDefaultMath : kPedantic;
}

bool findAll(void* from, Library& library) {
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(from, name));
    return function != nullptr;
  };
  find(library.statusText, "cublasGetStatusString");
  return find(library.property, "cublasGetProperty") && find(library.create, "cublasCreate_v2") &&
         find(library.destroy, "cublasDestroy_v2") &&
         find(library.setStream, "cublasSetStream_v2") &&
         find(library.setWorkspace, "cublasSetWorkspace_v2") &&
         find(library.setMathMode, "cublasSetMathMode") && find(library.sgemm, "cublasSgemm_v2");
}

Result<Library> findLibrary() {
  constexpr const char* kInside[] = {"lib64", "lib"};
  const Result<std::vector<std::string>> paths = toolkitPaths(kInside, kNames);
  if (!paths) return requestError("cuBLAS is not used: " + paths.error().message);
  for (const std::string& path : *paths) {
    void* from = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (from == nullptr) continue;
    Library library;
    int major = 0, minor = 0;
    if (findAll(from, library) && library.property(kMajor, &major) == kOk &&
        library.property(kMinor, &minor) == kOk) {
      library.version = std::to_string(major) + "." + std::to_string(minor);
      return library;
    }
    dlclose(from);
  }
  return requestError(
      "cuBLAS was not found: libcublas.so.13, .12 or .11 (11.2 or newer) is not in CUDA_HOME, "
      "beside NVRTC, in the loader's folders or in /usr/local/cuda; install the package "
      "libcublas of the CUDA Toolkit, or set CUDA_HOME to a toolkit that has it");
}

}  // namespace

Result<std::shared_ptr<const Library>> open() {
  Result<Library> library = findLibrary();
  if (!library) return library.error();
  return std::make_shared<const Library>(std::move(*library));
}

const std::string& versionOf(const Library& library) {
  return library.version;
}

namespace {

Error refusal(const Library& library, BlasStatus status, const std::string& step) {
  std::string text = "cuBLAS " + library.version + " failed at " + step + ": ";
  text += library.statusText != nullptr ? library.statusText(status)
                                        : "status " + std::to_string(status);
  constexpr BlasStatus kNotInitialized = 1, kAllocationFailed = 3;
  if (status == kNotInitialized) text += "; it may be newer than the GPU's driver";
  if (status == kAllocationFailed) text += "; the GPU's memory is full: choose smaller sizes";
  return workError(text + ".");
}

}  // namespace

Result<std::shared_ptr<Handle>> Handle::make(const ContextPtr& context) {
  const Result<std::shared_ptr<const Library>> library = open();
  if (!library) return library.error();
  std::shared_ptr<Handle> made(new Handle(context));
  made->library_ = *library;
  Result<Memory> workspace = allocate(context, kWorkspace, "cuBLAS's workspace");
  if (!workspace) return workspace.error();
  made->workspace_ = std::move(*workspace);
  const BlasStatus status = made->library_->create(&made->handle_);
  if (status != kOk) {
    made->handle_ = nullptr;
    return refusal(*made->library_, status, "cublasCreate");
  }
  return made;
}

Handle::~Handle() {
  // Destroying a handle waits for the GPU.
  if (handle_ != nullptr && !context_->abandoned()) library_->destroy(handle_);
}

Status Handle::setUp(const std::string& name, StreamHandle stream) {
  if (stream == stream_ && name == mode_) return {};
  if (const BlasStatus s = library_->setStream(handle_, stream); s != kOk) {
    return refusal(*library_, s, "setting the stream");
  }
  // Setting a stream resets the workspace.
  void* room = reinterpret_cast<void*>(workspace_.get());
  if (const BlasStatus s = library_->setWorkspace(handle_, room, kWorkspace); s != kOk) {
    return refusal(*library_, s, "setting the workspace");
  }
  if (const BlasStatus s = library_->setMathMode(handle_, mathModeOf(name)); s != kOk) {
    return refusal(*library_, s, "choosing " + name);
  }
  stream_ = stream;
  mode_ = name;
  return {};
}

Status Handle::multiply(const Product& product, StreamHandle stream, void* const* parameters) {
  constexpr uint64_t kMost = std::numeric_limits<int>::max();
  if (product.m > kMost || product.n > kMost || product.k > kMost) {
    return requestError("cuBLAS counts rows and columns in 31 bits; choose smaller sizes.");
  }
  if (Status s = setUp(product.name, stream); !s) return s;
  const auto at = [&](uint64_t index) {
    return reinterpret_cast<float*>(*static_cast<const DevicePointer*>(parameters[index]));
  };
  const auto m = static_cast<int>(product.m), n = static_cast<int>(product.n),
             k = static_cast<int>(product.k);
  const float one = 1, zero = 0;
  // cuBLAS is column-major: it sees the transposes, so Pt = Nt · Mt.
  const BlasStatus status =
      library_->sgemm(handle_, kAsItIs, kAsItIs, n, m, k, &one, at(product.right), n,
                      at(product.left), k, &zero, at(product.out), n);
  if (status != kOk) return refusal(*library_, status, "the product");
  return {};
}

}  // namespace tilestep::cuda::cublas

namespace tilestep::device {

Result<std::string> cublasVersion() {
  const auto library = cuda::cublas::open();
  if (!library) return library.error();
  return cuda::cublas::versionOf(**library);
}

}  // namespace tilestep::device
