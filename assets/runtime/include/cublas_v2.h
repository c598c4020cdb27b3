// SPDX-License-Identifier: Apache-2.0
// The supported part of cuBLAS (NVIDIA cuBLAS documentation): real numbers in single and double
// precision. A BLAS of this machine computes it, so results differ from NVIDIA's in the last bits.
#pragma once

#include "cuda_runtime.h"

#define CUBLAS_VER_MAJOR 12
#define CUBLASAPI

typedef struct cublasContext* cublasHandle_t;

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

// Copies of elements between the host and the device.
cublasStatus_t cublasSetVector(int n, int bytes, const void* from, int fromStep, void* to,
                               int toStep);
cublasStatus_t cublasGetVector(int n, int bytes, const void* from, int fromStep, void* to,
                               int toStep);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* from, int fromRows,
                               void* to, int toRows);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* from, int fromRows,
                               void* to, int toRows);

#define TILESTEP_CUBLAS(S, Is, T)                                                                 \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t opA,                    \
                                 cublasOperation_t opB, int m, int n, int k, const T* alpha,      \
                                 const T* A, int lda, const T* B, int ldb, const T* beta, T* C,   \
                                 int ldc);                                                        \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                   \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,   \
      const T* alpha, const T* A, int lda, long long stepA, const T* B, int ldb, long long stepB, \
      const T* beta, T* C, int ldc, long long stepC, int count);                                  \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,       \
                                 const T* alpha, const T* A, int lda, const T* x, int stepX,      \
                                 const T* beta, T* y, int stepY);                                 \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,        \
                                 int stepX, T* y, int stepY);                                     \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int stepX);  \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int stepX, const T* y,  \
                                int stepY, T* result);                                            \
  cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int stepX, T* result); \
  cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int stepX, T* result); \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int stepX, T* y,       \
                                 int stepY);                                                      \
  cublasStatus_t cublasI##Is##amax(cublasHandle_t handle, int n, const T* x, int stepX,           \
                                   int* result);

TILESTEP_CUBLAS(S, s, float)
TILESTEP_CUBLAS(D, d, double)
#undef TILESTEP_CUBLAS

#ifdef __cplusplus
}  // extern "C"
#endif
