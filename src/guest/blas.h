// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::guest {

/// Functions of a BLAS, as Fortran has them: matrices by columns, every argument by its address.
template <class T>
struct Blas {
  void (*gemm)(const char* opA, const char* opB, const int* m, const int* n, const int* k,
               const T* alpha, const T* A, const int* lda, const T* B, const int* ldb,
               const T* beta, T* C, const int* ldc);
  void (*gemv)(const char* op, const int* m, const int* n, const T* alpha, const T* A,
               const int* lda, const T* x, const int* stepX, const T* beta, T* y, const int* stepY);
  void (*axpy)(const int* n, const T* alpha, const T* x, const int* stepX, T* y, const int* stepY);
  void (*scal)(const int* n, const T* alpha, T* x, const int* stepX);
  T (*dot)(const int* n, const T* x, const int* stepX, const T* y, const int* stepY);
  T (*nrm2)(const int* n, const T* x, const int* stepX);
  T (*asum)(const int* n, const T* x, const int* stepX);
  int (*amax)(const int* n, const T* x, const int* stepX);  ///< From 1.
};

/// Those of this machine's BLAS, which is opened at the first call; null where there is none.
template <class T>
const Blas<T>* blas();

}  // namespace tilestep::guest
