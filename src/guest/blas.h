// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::guest {

/// BLAS functions with Fortran's interface: matrices are stored by columns, and every argument is
/// passed by address.
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
  int (*amax)(const int* n, const T* x, const int* stepX);  ///< The index counts from 1.
};

/// The functions of this machine's BLAS, opened at the first call; null if no BLAS is installed.
template <class T>
const Blas<T>* blas();

}  // namespace tilestep::guest
