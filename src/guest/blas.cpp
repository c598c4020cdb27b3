// SPDX-License-Identifier: Apache-2.0
#include "guest/blas.h"

#include <dlfcn.h>

#include <string>

namespace tilestep::guest {
namespace {

void* library() {
  static void* const opened = [] {
    void* found = nullptr;
    for (const char* name : {"libopenblas.so.0", "libblas.so.3"})
      if (found == nullptr) found = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    return found;
  }();
  return opened;
}

template <class F>
bool find(const std::string& name, F& function) {
  function = reinterpret_cast<F>(dlsym(library(), name.c_str()));
  return function != nullptr;
}

/// `letter` is the type's letter in the function names.
template <class T>
const Blas<T>* load(const std::string& letter) {
  static Blas<T> found;
  const bool isWhole = library() != nullptr && find(letter + "gemm_", found.gemm) &&
                       find(letter + "gemv_", found.gemv) && find(letter + "axpy_", found.axpy) &&
                       find(letter + "scal_", found.scal) && find(letter + "dot_", found.dot) &&
                       find(letter + "nrm2_", found.nrm2) && find(letter + "asum_", found.asum) &&
                       find("i" + letter + "amax_", found.amax);
  return isWhole ? &found : nullptr;
}

}  // namespace

template <>
const Blas<float>* blas<float>() {
  static const Blas<float>* const only = load<float>("s");
  return only;
}

template <>
const Blas<double>* blas<double>() {
  static const Blas<double>* const only = load<double>("d");
  return only;
}

}  // namespace tilestep::guest
