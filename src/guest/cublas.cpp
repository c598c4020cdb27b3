// SPDX-License-Identifier: Apache-2.0
// cuBLAS on top of a BLAS of the host: operands are copied from the device, results to the device.
#include <cstdio>
#include <cstring>

#include "cublas_v2.h"
#include "guest/blas.h"
#include "guest/connection.h"
#include "guest/device_array.h"

using namespace tilestep::guest;

struct cublasContext {
  uint64_t stream = 0;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
};

namespace {

/// One call by the program.
struct Job {
  cublasHandle_t handle;
  Caller caller;
  bool fails = false;

  Job(cublasHandle_t of, const void* where)
      : handle(of), caller{of != nullptr ? of->stream : 0, where}, fails(of == nullptr) {}

  void done(int error) { fails = fails || error != 0; }
  [[nodiscard]] cublasStatus_t status() const {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    return fails ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
  }
  /// A number in host or device memory, depending on the handle's pointer mode.
  template <class T>
  T read(const T* number) {
    T value{};
    if (fails) return value;
    if (handle->mode == CUBLAS_POINTER_MODE_HOST) return *number;
    done(copyColumns(caller, &value, 0, number, 0, sizeof value, 1));
    return value;
  }
  template <class T>
  void write(T* number, T value) {
    if (fails) return;
    if (handle->mode == CUBLAS_POINTER_MODE_HOST)
      *number = value;
    else
      done(copyColumns(caller, number, 0, &value, 0, sizeof value, 1));
  }
  /// The elements of a vector, `step` apart, with the memory between them.
  template <class T>
  DeviceArray<T> vector(const T* x, int n, int step, bool isRead = true) {
    const int steps = step < 0 ? -step : step;
    DeviceArray<T> array(caller, x, n > 0 ? (n - 1) * steps + 1 : 0, 1, 0);
    if (isRead && !fails) done(array.fetch());
    return array;
  }
};

template <class T>
DeviceArray<T> matrix(Job& job, const T* A, cublasOperation_t op, int rows, int columns, int step,
                      bool isRead = true) {
  const bool turned = op != CUBLAS_OP_N;
  DeviceArray<T> array(job.caller, A, turned ? columns : rows, turned ? rows : columns, step);
  if (isRead && !job.fails) job.done(array.fetch());
  return array;
}

const char* letter(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? "N" : "T";
}

template <class T>
cublasStatus_t gemm(Job job, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,
                    const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C,
                    int ldc) {
  if (m < 0 || n < 0 || k < 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (lda < (opA == CUBLAS_OP_N ? m : k) || ldb < (opB == CUBLAS_OP_N ? k : n) || ldc < m)
    return CUBLAS_STATUS_INVALID_VALUE;
  const T a = job.read(alpha), b = job.read(beta);
  auto left = matrix(job, A, opA, m, k, lda), right = matrix(job, B, opB, k, n, ldb);
  auto out = matrix(job, C, CUBLAS_OP_N, m, n, ldc, b != T{});
  if (job.fails || m == 0 || n == 0) return job.status();
  blas<T>()->gemm(letter(opA), letter(opB), &m, &n, &k, &a, left.data(), &left.step(), right.data(),
                  &right.step(), &b, out.data(), &out.step());
  job.done(out.store());
  return job.status();
}

template <class T>
cublasStatus_t gemv(Job job, cublasOperation_t op, int m, int n, const T* alpha, const T* A,
                    int lda, const T* x, int stepX, const T* beta, T* y, int stepY) {
  if (m < 0 || n < 0 || lda < m || stepX == 0 || stepY == 0) return CUBLAS_STATUS_INVALID_VALUE;
  const bool turned = op != CUBLAS_OP_N;
  const T a = job.read(alpha), b = job.read(beta);
  auto left = matrix(job, A, CUBLAS_OP_N, m, n, lda);
  auto in = job.vector(x, turned ? m : n, stepX);
  // The memory between the elements must stay unchanged, so it is read first.
  auto out = job.vector(y, turned ? n : m, stepY, b != T{} || (stepY != 1 && stepY != -1));
  if (job.fails || m == 0 || n == 0) return job.status();
  blas<T>()->gemv(letter(op), &m, &n, &a, left.data(), &left.step(), in.data(), &stepX, &b,
                  out.data(), &stepY);
  job.done(out.store());
  return job.status();
}

template <class T>
cublasStatus_t axpy(Job job, int n, const T* alpha, const T* x, int stepX, T* y, int stepY) {
  const T a = job.read(alpha);
  auto in = job.vector(x, n, stepX), out = job.vector(y, n, stepY);
  if (job.fails || n <= 0) return job.status();
  blas<T>()->axpy(&n, &a, in.data(), &stepX, out.data(), &stepY);
  job.done(out.store());
  return job.status();
}

template <class T>
cublasStatus_t scal(Job job, int n, const T* alpha, T* x, int stepX) {
  const T a = job.read(alpha);
  auto out = job.vector(x, n, stepX);
  if (job.fails || n <= 0) return job.status();
  blas<T>()->scal(&n, &a, out.data(), &stepX);
  job.done(out.store());
  return job.status();
}

template <class T>
cublasStatus_t dot(Job job, int n, const T* x, int stepX, const T* y, int stepY, T* result) {
  auto left = job.vector(x, n, stepX), right = job.vector(y, n, stepY);
  if (job.fails) return job.status();
  job.write(result, n <= 0 ? T{} : blas<T>()->dot(&n, left.data(), &stepX, right.data(), &stepY));
  return job.status();
}

/// Computes a number from one vector.
template <class T, class R>
cublasStatus_t measure(Job job, int n, const T* x, int stepX, R* result,
                       R (*function)(const int*, const T*, const int*)) {
  auto in = job.vector(x, n, stepX);
  if (job.fails) return job.status();
  job.write(result, n <= 0 ? R{} : function(&n, in.data(), &stepX));
  return job.status();
}

template <class T>
cublasStatus_t copyVector(Job job, int n, const T* x, int stepX, T* y, int stepY) {
  auto in = job.vector(x, n, stepX);
  auto out = job.vector(y, n, stepY, stepY != 1);
  if (job.fails) return job.status();
  for (int i = 0; i < n; ++i)
    out.data()[stepY > 0 ? i * stepY : (i - n + 1) * stepY] =
        in.data()[stepX > 0 ? i * stepX : (i - n + 1) * stepX];
  job.done(out.store());
  return job.status();
}

cublasStatus_t transfer(int rows, int columns, int bytes, const void* from, int fromStep, void* to,
                        int toStep, const void* where) {
  if (rows < 0 || columns < 0 || bytes <= 0 || fromStep <= 0 || toStep <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto all = [bytes](int elements) { return static_cast<uint64_t>(elements) * bytes; };
  const int error =
      copyColumns({0, where}, to, all(toStep), from, all(fromStep), all(rows), columns);
  return error == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace

#define CALLED_FROM __builtin_return_address(0)

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  *handle = nullptr;
  if (blas<float>() == nullptr || blas<double>() == nullptr) {
    std::fputs("tilestep: cuBLAS needs a BLAS here; install one with apt-get install libblas3\n",
               stderr);
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  ask(Call::note, CALLED_FROM, Noted{Note::usedCublas, 0});
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  *version = 120000;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = reinterpret_cast<uint64_t>(stream);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *stream = reinterpret_cast<cudaStream_t>(handle->stream);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    default:
      return "an unknown status of cuBLAS";
  }
}
const char* cublasGetStatusString(cublasStatus_t status) {
  return cublasGetStatusName(status);
}

cublasStatus_t cublasSetVector(int n, int bytes, const void* from, int fromStep, void* to,
                               int toStep) {
  return transfer(1, n, bytes, from, fromStep, to, toStep, CALLED_FROM);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* from, int fromStep, void* to,
                               int toStep) {
  return transfer(1, n, bytes, from, fromStep, to, toStep, CALLED_FROM);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* from, int fromRows,
                               void* to, int toRows) {
  return transfer(rows, columns, bytes, from, fromRows, to, toRows, CALLED_FROM);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* from, int fromRows,
                               void* to, int toRows) {
  return transfer(rows, columns, bytes, from, fromRows, to, toRows, CALLED_FROM);
}

#define TILESTEP_CUBLAS(S, Is, T)                                                                  \
  cublasStatus_t cublas##S##gemm(                                                                  \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,    \
      const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc) {    \
    return gemm<T>({handle, CALLED_FROM}, opA, opB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc); \
  }                                                                                                \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,    \
      const T* alpha, const T* A, int lda, long long stepA, const T* B, int ldb, long long stepB,  \
      const T* beta, T* C, int ldc, long long stepC, int count) {                                  \
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;                                                 \
    for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; ++i)                             \
      status = gemm<T>({handle, CALLED_FROM}, opA, opB, m, n, k, alpha, A + i * stepA, lda,        \
                       B + i * stepB, ldb, beta, C + i * stepC, ldc);                              \
    return status;                                                                                 \
  }                                                                                                \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,        \
                                 const T* alpha, const T* A, int lda, const T* x, int stepX,       \
                                 const T* beta, T* y, int stepY) {                                 \
    return gemv<T>({handle, CALLED_FROM}, op, m, n, alpha, A, lda, x, stepX, beta, y, stepY);      \
  }                                                                                                \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,         \
                                 int stepX, T* y, int stepY) {                                     \
    return axpy<T>({handle, CALLED_FROM}, n, alpha, x, stepX, y, stepY);                           \
  }                                                                                                \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int stepX) {  \
    return scal<T>({handle, CALLED_FROM}, n, alpha, x, stepX);                                     \
  }                                                                                                \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int stepX, const T* y,   \
                                int stepY, T* result) {                                            \
    return dot<T>({handle, CALLED_FROM}, n, x, stepX, y, stepY, result);                           \
  }                                                                                                \
  cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int stepX, T* result) { \
    return measure<T, T>({handle, CALLED_FROM}, n, x, stepX, result, blas<T>()->nrm2);             \
  }                                                                                                \
  cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int stepX, T* result) { \
    return measure<T, T>({handle, CALLED_FROM}, n, x, stepX, result, blas<T>()->asum);             \
  }                                                                                                \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int stepX, T* y,        \
                                 int stepY) {                                                      \
    return copyVector<T>({handle, CALLED_FROM}, n, x, stepX, y, stepY);                            \
  }                                                                                                \
  cublasStatus_t cublasI##Is##amax(cublasHandle_t handle, int n, const T* x, int stepX,            \
                                   int* result) {                                                  \
    return measure<T, int>({handle, CALLED_FROM}, n, x, stepX, result, blas<T>()->amax);           \
  }

TILESTEP_CUBLAS(S, s, float)
TILESTEP_CUBLAS(D, d, double)
#undef TILESTEP_CUBLAS

}  // extern "C"
