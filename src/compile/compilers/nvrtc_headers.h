// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

/// Replacements for standard headers, which NVRTC does not have. They contain only types and
/// constants; NVRTC declares the functions without a header.
namespace tilestep::compile {

constexpr const char* kIntegerTypes = R"(#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL
)";

constexpr const char* kIntegerLimits = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define ULLONG_MAX 18446744073709551615ULL
)";

constexpr const char* kFloatLimits = R"(#pragma once
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_EPSILON 1.19209289550781250e-7f
#define FLT_MIN 1.17549435082228751e-38f
#define FLT_MAX 3.40282346638528860e+38f
#define DBL_MANT_DIG 53
#define DBL_EPSILON 2.22044604925031308e-16
#define DBL_MIN 2.22507385850720138e-308
#define DBL_MAX 1.79769313486231571e+308
)";

constexpr const char* kMathConstants = R"(#pragma once
#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define INFINITY __int_as_float(0x7f800000)
#define HUGE_VALF __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
)";

/// <cmath> puts functions that NVRTC declares without a header into namespace std.
constexpr const char* kStandardMath = R"(#pragma once
#include <math.h>
namespace std {
using ::abs;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::pow;
using ::rint;
using ::round;
using ::signbit;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::trunc;
using ::ceilf;
using ::cosf;
using ::exp2f;
using ::expf;
using ::fabsf;
using ::floorf;
using ::fmaf;
using ::fmaxf;
using ::fminf;
using ::fmodf;
using ::log2f;
using ::logf;
using ::powf;
using ::roundf;
using ::sinf;
using ::sqrtf;
using ::tanhf;
using ::truncf;
}
)";

/// <cstdint> and <cstddef>.
constexpr const char* kStandardIntegers = R"(#pragma once
#include <stdint.h>
namespace std {
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;
using ::size_t;
using ::ptrdiff_t;
}
)";
constexpr const char* kStandardSizes = R"(#pragma once
#include <stddef.h>
namespace std {
using ::size_t;
using ::ptrdiff_t;
}
)";

constexpr const char* kSizeTypes = "#pragma once\n#ifndef NULL\n#define NULL 0\n#endif\n";

/// Names that nvcc declares without any #include, because it includes host headers itself.
constexpr const char* kUsualName = "tilestep_usual.h";
constexpr const char* kUsualNames = R"(#pragma once
#include <stdint.h>
#include <limits.h>
#include <math.h>
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
)";

constexpr std::array kHeaderNames = {kUsualName, "stdint.h", "cstdint", "limits.h",
                                     "climits",  "float.h",  "cfloat",  "math.h",
                                     "cmath",    "stddef.h", "cstddef"};
constexpr std::array kHeaderTexts = {
    kUsualNames,  kIntegerTypes,  kStandardIntegers, kIntegerLimits, kIntegerLimits, kFloatLimits,
    kFloatLimits, kMathConstants, kStandardMath,     kSizeTypes,     kStandardSizes};
static_assert(kHeaderNames.size() == kHeaderTexts.size());

}  // namespace tilestep::compile
