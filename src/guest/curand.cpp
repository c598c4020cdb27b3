// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators for the host. Numbers are drawn on the host and copied to their destination.
#include "curand.h"

#include <cmath>
#include <vector>

#include "guest/connection.h"
#include "guest/device_array.h"

using namespace tilestep::guest;

struct curandGenerator_st {
  uint64_t seed = 0;
  uint64_t drawn = 0;  ///< The index of the next value.
  uint64_t stream = 0;
  bool onHost = false;

  /// splitmix64 of the seed and the value's index.
  uint64_t next() {
    uint64_t x = (seed ^ 0x6a09e667f3bcc908) + 0x9e3779b97f4a7c15 * ++drawn;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  /// Greater than 0, at most 1.
  template <class T>
  T uniform() {
    constexpr int kDigits = std::is_same_v<T, float> ? 24 : 53;
    return std::ldexp(static_cast<T>((next() >> (64 - kDigits)) + 1), -kDigits);
  }
  template <class T>
  T normal(T mean, T deviation) {
    const double length = std::sqrt(-2 * std::log(uniform<double>()));
    const double turn = 6.283185307179586 * uniform<double>();
    return static_cast<T>(mean + deviation * length * std::cos(turn));
  }
};

namespace {

curandStatus_t create(curandGenerator_t* generator, bool onHost, const void* where) {
  *generator = new curandGenerator_st;
  (*generator)->onHost = onHost;
  ask(Call::note, where, Noted{Note::usedCurand, 0});
  return CURAND_STATUS_SUCCESS;
}

template <class T, class Draw>
curandStatus_t generate(curandGenerator_t generator, T* to, size_t n, const void* where,
                        const Draw& draw) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->onHost) {
    for (size_t i = 0; i < n; ++i) to[i] = draw();
    return CURAND_STATUS_SUCCESS;
  }
  std::vector<T> values(n);
  for (T& each : values) each = draw();
  const int error =
      copyColumns({generator->stream, where}, to, 0, values.data(), 0, n * sizeof(T), 1);
  return error == 0 ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

}  // namespace

#define CALLED_FROM __builtin_return_address(0)

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t) {
  return create(generator, false, CALLED_FROM);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t) {
  return create(generator, true, CALLED_FROM);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  *version = 10300;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = reinterpret_cast<uint64_t>(stream);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->seed = seed;
  generator->drawn = 0;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->drawn = offset;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}
int tilestepUsesCurand() {
  return ask(Call::note, CALLED_FROM, Noted{Note::usedCurand, 0});
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* to, size_t n) {
  return generate(generator, to, n, CALLED_FROM,
                  [&] { return static_cast<unsigned int>(generator->next() >> 32); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* to, size_t n) {
  return generate(generator, to, n, CALLED_FROM, [&] { return generator->uniform<float>(); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* to, size_t n) {
  return generate(generator, to, n, CALLED_FROM, [&] { return generator->uniform<double>(); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* to, size_t n, float mean,
                                    float deviation) {
  return generate(generator, to, n, CALLED_FROM,
                  [&] { return generator->normal(mean, deviation); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* to, size_t n,
                                          double mean, double deviation) {
  return generate(generator, to, n, CALLED_FROM,
                  [&] { return generator->normal(mean, deviation); });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* to, size_t n, float mean,
                                       float deviation) {
  return generate(generator, to, n, CALLED_FROM,
                  [&] { return std::exp(generator->normal(mean, deviation)); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* to, size_t n,
                                             double mean, double deviation) {
  return generate(generator, to, n, CALLED_FROM,
                  [&] { return std::exp(generator->normal(mean, deviation)); });
}

}  // extern "C"
