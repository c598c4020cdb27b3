// SPDX-License-Identifier: Apache-2.0
// cuRAND's functions for the device (NVIDIA cuRAND documentation, "Device API"). Numbers have the
// documented distributions, but differ from NVIDIA's, because they come from our own generator.
#pragma once

#include "curand.h"

#define TILESTEP_RANDOM static inline __attribute__((device, nodebug))

/// Each number is a hash of the key and of the number of earlier draws.
struct tilestep_random_state {
  unsigned long long key, drawn;
  double spare;  ///< The second of two normally distributed numbers.
  int hasSpare;
};
struct curandStateXORWOW : tilestep_random_state {};
struct curandStatePhilox4_32_10 : tilestep_random_state {};
struct curandStateMRG32k3a : tilestep_random_state {};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

TILESTEP_RANDOM unsigned long long tilestep_mixed(unsigned long long x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
TILESTEP_RANDOM unsigned long long tilestep_draw(tilestep_random_state* state) {
  return tilestep_mixed(state->key + 0x9e3779b97f4a7c15ull * ++state->drawn);
}

template <class State>
TILESTEP_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence,
                                 unsigned long long offset, State* state) {
  state->key = tilestep_mixed(seed + 0x9e3779b97f4a7c15ull) ^
               tilestep_mixed(sequence * 0xd1342543de82ef95ull + 1);
  state->drawn = offset;
  state->spare = 0;
  state->hasSpare = 0;
}
TILESTEP_RANDOM void skipahead(unsigned long long n, tilestep_random_state* state) {
  state->drawn += n;
}

TILESTEP_RANDOM unsigned int curand(tilestep_random_state* state) {
  return (unsigned int)(tilestep_draw(state) >> 32);
}
// Greater than 0, at most 1.
TILESTEP_RANDOM float curand_uniform(tilestep_random_state* state) {
  return (float)((curand(state) >> 8) + 1) * 0x1p-24f;
}
TILESTEP_RANDOM double curand_uniform_double(tilestep_random_state* state) {
  return (double)((tilestep_draw(state) >> 11) + 1) * 0x1p-53;
}
TILESTEP_RANDOM float2 curand_normal2(tilestep_random_state* state) {
  const float length = sqrtf(-2 * logf(curand_uniform(state)));
  float2 both;
  sincosf(6.2831853f * curand_uniform(state), &both.y, &both.x);
  both.x *= length;
  both.y *= length;
  return both;
}
TILESTEP_RANDOM double2 curand_normal2_double(tilestep_random_state* state) {
  const double length = sqrt(-2 * log(curand_uniform_double(state)));
  double2 both;
  sincos(6.283185307179586 * curand_uniform_double(state), &both.y, &both.x);
  both.x *= length;
  both.y *= length;
  return both;
}
TILESTEP_RANDOM float curand_normal(tilestep_random_state* state) {
  state->hasSpare = !state->hasSpare;
  if (!state->hasSpare) return (float)state->spare;
  const float2 both = curand_normal2(state);
  state->spare = both.y;
  return both.x;
}
TILESTEP_RANDOM double curand_normal_double(tilestep_random_state* state) {
  return curand_normal2_double(state).x;
}
TILESTEP_RANDOM float curand_log_normal(tilestep_random_state* state, float mean,
                                        float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
TILESTEP_RANDOM double curand_log_normal_double(tilestep_random_state* state, double mean,
                                                double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
TILESTEP_RANDOM uint4 curand4(tilestep_random_state* state) {
  const unsigned long long a = tilestep_draw(state), b = tilestep_draw(state);
  return make_uint4((unsigned int)a, (unsigned int)(a >> 32), (unsigned int)b,
                    (unsigned int)(b >> 32));
}
TILESTEP_RANDOM float4 curand_uniform4(tilestep_random_state* state) {
  float4 four;
  four.x = curand_uniform(state);
  four.y = curand_uniform(state);
  four.z = curand_uniform(state);
  four.w = curand_uniform(state);
  return four;
}
TILESTEP_RANDOM float4 curand_normal4(tilestep_random_state* state) {
  const float2 a = curand_normal2(state), b = curand_normal2(state);
  return make_float4(a.x, a.y, b.x, b.y);
}

#undef TILESTEP_RANDOM

#ifndef __CUDA_ARCH__
static const int tilestep_said_curand = tilestepUsesCurand();
#endif
