// SPDX-License-Identifier: Apache-2.0
// Functions that clang cannot make without the toolkit's libdevice. They are named here so that a
// kernel that uses one is refused at its line with the reason; without these clang's backend would
// crash.
#pragma once

#define TILESTEP_REFUSED(name, type, ...)                                       \
  __attribute__((device, unavailable(#name " needs the CUDA Toolkit (NVRTC)"))) \
  type name(__VA_ARGS__);
#define TILESTEP_REFUSED1(name)           \
  TILESTEP_REFUSED(name##f, float, float) \
  TILESTEP_REFUSED(name, float, float)    \
  TILESTEP_REFUSED(name, double, double)
#define TILESTEP_REFUSED2(name)                  \
  TILESTEP_REFUSED(name##f, float, float, float) \
  TILESTEP_REFUSED(name, float, float, float)    \
  TILESTEP_REFUSED(name, double, double, double)

TILESTEP_REFUSED1(exp)
TILESTEP_REFUSED1(exp10)
TILESTEP_REFUSED1(expm1)
TILESTEP_REFUSED1(log)
TILESTEP_REFUSED1(log2)
TILESTEP_REFUSED1(log10)
TILESTEP_REFUSED1(log1p)
TILESTEP_REFUSED1(sin)
TILESTEP_REFUSED1(cos)
TILESTEP_REFUSED1(tan)
TILESTEP_REFUSED1(asin)
TILESTEP_REFUSED1(acos)
TILESTEP_REFUSED1(atan)
TILESTEP_REFUSED1(sinh)
TILESTEP_REFUSED1(cosh)
TILESTEP_REFUSED1(tanh)
TILESTEP_REFUSED1(asinh)
TILESTEP_REFUSED1(acosh)
TILESTEP_REFUSED1(atanh)
TILESTEP_REFUSED1(sinpi)
TILESTEP_REFUSED1(cospi)
TILESTEP_REFUSED1(cbrt)
TILESTEP_REFUSED1(rcbrt)
TILESTEP_REFUSED1(erf)
TILESTEP_REFUSED1(erfc)
TILESTEP_REFUSED1(erfinv)
TILESTEP_REFUSED1(normcdf)
TILESTEP_REFUSED1(tgamma)
TILESTEP_REFUSED1(lgamma)
TILESTEP_REFUSED2(pow)
TILESTEP_REFUSED2(atan2)
TILESTEP_REFUSED2(hypot)
TILESTEP_REFUSED2(rhypot)
TILESTEP_REFUSED(exp2, double, double)
TILESTEP_REFUSED(sincosf, void, float, float*, float*)
TILESTEP_REFUSED(sincos, void, double, double*, double*)

#undef TILESTEP_REFUSED
#undef TILESTEP_REFUSED1
#undef TILESTEP_REFUSED2
