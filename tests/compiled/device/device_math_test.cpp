// SPDX-License-Identifier: Apache-2.0
// The mathematical functions that clang compiles (assets/clang/cuda_subset_exp.h and those beside
// it) in the interpreter: no error is larger than the CUDA C++ Programming Guide, "Mathematical
// Functions", states, and special values are those of ISO C, annex F, and the CUDA Math API.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>

#include "compile/compiler.h"
#include "device/device.h"
#include "support/source_root.h"

namespace tilestep::compile {
namespace device_math_test {

using Wide = long double;
constexpr Wide kPi = 3.14159265358979323846264338327950288L;
constexpr Wide kRootTwo = 1.41421356237309504880168872420969808L;

// What the host's library lacks, in long double. Each is some hundred times closer than a double.

Wide sinpi(Wide x) {
  Wide turn = std::remainder(x, 2.0L);
  if (std::fabs(turn) > 0.5L) turn = std::copysign(1.0L, turn) - turn;
  return turn == 0 ? std::copysign(0.0L, x) : std::sin(kPi * turn);
}
Wide cospi(Wide x) {
  const Wide turn = std::fabs(std::remainder(x, 2.0L));
  if (turn < 0.25L) return std::cos(kPi * turn);
  return turn > 0.75L ? -std::cos(kPi * (1 - turn)) : std::sin(kPi * (0.5L - turn));
}
Wide expOfSquare(Wide x) {
  const Wide square = x * x;
  if (square > 11000) return std::numeric_limits<Wide>::infinity();
  return std::exp(square) * (1 + std::fma(x, x, -square));
}
Wide erfcx(Wide x) {
  if (std::fabs(x) > 1e15L)
    return x < 0 ? std::numeric_limits<Wide>::infinity() : 1 / (x * std::sqrt(kPi));
  if (x < 20) return expOfSquare(x) * std::erfc(x);
  Wide fraction = 0;
  for (int k = 80; k > 0; --k) fraction = 0.5L * static_cast<Wide>(k) / (x + fraction);
  return 1 / ((x + fraction) * std::sqrt(kPi));
}
Wide normcdf(Wide x) {
  const Wide scaled = -x / kRootTwo, lost = std::fma(scaled, kRootTwo, x) / kRootTwo;
  const Wide tail = std::erfc(scaled);
  return scaled < 1 || scaled > 60 ? tail / 2 : tail / 2 * (1 + 2 * scaled * lost);
}
/// Newton's method for log(erfc(s)) = log(y), or near the middle for erf(s) = 1 - y.
Wide erfcinvOf(Wide y, Wide middle) {
  const Wide slope = 2 / std::sqrt(kPi);
  Wide s = y < 0.4L ? std::sqrt(-std::log(y) * 0.8L) : middle / slope;
  for (int i = 0; i < 60; ++i) {
    const Wide step = y < 0.4L ? (std::log(std::erfc(s)) - std::log(y)) * erfcx(s) / -slope
                               : (std::erf(s) - middle) * expOfSquare(s) / slope;
    s -= step;
    if (std::fabs(step) <= 1e-19L * std::fabs(s)) break;
  }
  return s;
}
Wide erfinv(Wide x) {
  if (!(std::fabs(x) < 1) || x == 0)
    return std::fabs(x) == 1 ? x * std::numeric_limits<Wide>::infinity() : x == 0 ? x : NAN;
  return std::copysign(erfcinvOf(1 - std::fabs(x), std::fabs(x)), x);
}
Wide erfcinv(Wide y) {
  if (!(y > 0 && y < 2))
    return y == 0 || y == 2 ? (1 - y) * std::numeric_limits<Wide>::infinity() : NAN;
  return y <= 1 ? erfcinvOf(y, 1 - y) : -erfcinvOf(2 - y, y - 1);
}
Wide tgamma(Wide x) {
  if (x < 0 && std::floor(x) == x) return NAN;
  if (x < -1000) return std::fmod(std::floor(x), 2.0L) == 0 ? 0.0L : -0.0L;
  return std::tgamma(x);
}
Wide lgamma(Wide x) {
  int sign = 0;
  return lgammal_r(x, &sign);
}
Wide length(Wide x, Wide y, Wide z, Wide t) {
  return std::hypot(std::hypot(x, y), std::hypot(z, t));
}

struct Function {
  const char* name;
  std::string floats, doubles;  ///< Expressions of x, and of y where there is one.
  Wide (*exact)(Wide x, Wide y);
  double floatBound, doubleBound;  ///< In ulp, from the right number rounded once.
  /// Two of three arguments lie in a range, the others anywhere.
  double least, most, doubleLeast, doubleMost;
  /// Arguments between these two are not compared: the guide states no bound.
  double gapBegin = 1, gapEnd = 0, doubleGapBegin = 1, doubleGapEnd = 0;
};

#define ONE(name, exact, floatBound, doubleBound, ...)                                   \
  Function {                                                                             \
#name, #name "f(x)", #name "(x)",                                                    \
        [](Wide x, Wide) -> Wide { return exact; }, floatBound, doubleBound, __VA_ARGS__ \
  }
#define TWO(name, arguments, exact, floatBound, doubleBound, ...)                               \
  Function {                                                                                    \
#name, #name "f" arguments, #name arguments,                                                \
        [](Wide x, [[maybe_unused]] Wide y) -> Wide { return exact; }, floatBound, doubleBound, \
                                                                    __VA_ARGS__                 \
  }

const std::vector<Function>& functions() {
  static const std::vector<Function> all{
      ONE(exp, std::exp(x), 2, 1, -105, 90, -750, 711),
      ONE(exp2, std::exp2(x), 2, 1, -151, 129, -1077, 1025),
      ONE(exp10, exp10l(x), 2, 1, -46, 39, -325, 310),
      ONE(expm1, std::expm1(x), 1, 1, -20, 90, -40, 711),
      ONE(log, std::log(x), 1, 1, 0.3, 3, 0.3, 3),
      ONE(log2, std::log2(x), 1, 1, 0.3, 3, 0.3, 3),
      ONE(log10, std::log10(x), 2, 1, 0.3, 3, 0.3, 3),
      ONE(log1p, std::log1p(x), 1, 1, -1, 3, -1, 3),
      ONE(sin, std::sin(x), 2, 2, -100, 100, -100, 100),
      ONE(cos, std::cos(x), 2, 2, -100, 100, -100, 100),
      ONE(tan, std::tan(x), 4, 2, -100, 100, -100, 100),
      ONE(sinpi, sinpi(x), 1, 2, -3, 3, -3, 3),
      ONE(cospi, cospi(x), 1, 2, -3, 3, -3, 3),
      {"sincos, first", "firstf(x)", "first(x)", [](Wide x, Wide) -> Wide { return std::sin(x); },
       2, 2, -1e6, 1e6, -1e7, 1e7},
      {"sincos, second", "secondf(x)", "second(x)",
       [](Wide x, Wide) -> Wide { return std::cos(x); }, 2, 2, -1e6, 1e6, -1e7, 1e7},
      {"sincospi, first", "firstpif(x)", "firstpi(x)",
       [](Wide x, Wide) -> Wide { return sinpi(x); }, 1, 2, -10, 10, -10, 10},
      {"sincospi, second", "secondpif(x)", "secondpi(x)",
       [](Wide x, Wide) -> Wide { return cospi(x); }, 1, 2, -10, 10, -10, 10},
      ONE(asin, std::asin(x), 2, 2, -1, 1, -1, 1),
      ONE(acos, std::acos(x), 2, 2, -1, 1, -1, 1),
      ONE(atan, std::atan(x), 2, 2, -4, 4, -4, 4),
      TWO(atan2, "(x, y)", std::atan2(x, y), 3, 2, -1, 1, -1, 1),
      ONE(sinh, std::sinh(x), 3, 2, -90, 90, -711, 711),
      ONE(cosh, std::cosh(x), 2, 1, -90, 90, -711, 711),
      ONE(tanh, std::tanh(x), 2, 1, -3, 3, -3, 3),
      ONE(asinh, std::asinh(x), 3, 3, -5, 5, -5, 5),
      ONE(acosh, std::acosh(x), 4, 3, 1, 5, 1, 5),
      ONE(atanh, std::atanh(x), 3, 2, -1, 1, -1, 1),
      TWO(pow, "(x, y)", std::pow(x, y), 4, 2, 0, 25, 0, 140),
      ONE(cbrt, std::cbrt(x), 1, 1, -10, 10, -10, 10),
      ONE(rcbrt, 1 / std::cbrt(x), 1, 1, -10, 10, -10, 10),
      TWO(hypot, "(x, y)", std::hypot(x, y), 3, 2, -1, 1, -1, 1),
      TWO(rhypot, "(x, y)", 1 / std::hypot(x, y), 2, 1, -1, 1, -1, 1),
      {"norm3d", "norm3df(x, y, 0.5f)", "norm3d(x, y, 0.5)",
       [](Wide x, Wide y) -> Wide { return length(x, y, 0.5L, 0); }, 3, 2, -1, 1, -1, 1},
      {"norm4d", "norm4df(x, y, 0.5f, x)", "norm4d(x, y, 0.5, x)",
       [](Wide x, Wide y) -> Wide { return length(x, y, 0.5L, x); }, 3, 2, -1, 1, -1, 1},
      {"rnorm3d", "rnorm3df(x, y, 0.5f)", "rnorm3d(x, y, 0.5)",
       [](Wide x, Wide y) -> Wide { return 1 / length(x, y, 0.5L, 0); }, 2, 1, -1, 1, -1, 1},
      {"rnorm4d", "rnorm4df(x, y, 0.5f, x)", "rnorm4d(x, y, 0.5, x)",
       [](Wide x, Wide y) -> Wide { return 1 / length(x, y, 0.5L, x); }, 2, 1, -1, 1, -1, 1},
      ONE(erf, std::erf(x), 2, 2, -4, 4, -6, 6),
      ONE(erfc, std::erfc(x), 4, 5, -4, 10.2, -6, 27.5),
      ONE(erfinv, erfinv(x), 2, 5, -1, 1, -1, 1),
      ONE(erfcinv, erfcinv(x), 4, 6, 0, 2, 0, 2),
      ONE(erfcx, erfcx(x), 4, 4, -9.5, 20, -27, 40),
      ONE(normcdf, normcdf(x), 5, 5, -14.5, 6, -38.6, 9),
      ONE(normcdfinv, 0 - kRootTwo * erfcinv(2 * x), 5, 8, 0, 1, 0, 1),
      ONE(tgamma, tgamma(x), 5, 10, -43, 36, -185, 172),
      ONE(lgamma, lgamma(x), 6, 4, -30, 20, -30, 20, -10.001, -2.264, -23.0001, -2.2637),
  };
  return all;
}
#undef ONE
#undef TWO

constexpr int kThreads = 128, kBlocks = 80, kArguments = kThreads * kBlocks;

/// A kernel for T that writes, for each function and argument, the arguments and the result.
/// `of` chooses a function's expression and its range.
template <class Of>
std::string kernelFor(const std::string& type, const std::string& bits, Of of) {
  const auto number = [](double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return std::string(text);
  };
  std::string text = "extern \"C\" __global__ void judge_" + type + "(" + type + "* P) {\n" +
                     "  const unsigned " + "int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
                     type + " x, y, value;\n  switch (blockIdx.y) {\n";
  const auto& all = functions();
  for (size_t f = 0; f < all.size(); ++f) {
    const auto [expression, least, most] = of(all[f]);
    text += "    case " + std::to_string(f) + ": x = argument<" + type + ", " + bits + ">(i, " +
            std::to_string(2 * f) + ", " + number(least) + ", " + number(most) +
            "); y = argument<" + type + ", " + bits + ">(i, " + std::to_string(2 * f + 1) + ", " +
            number(least) + ", " + number(most) + "); value = " + expression + "; break;\n";
  }
  return text +
         "    default: return;\n  }\n"
         "  P += 3 * (blockIdx.y * gridDim.x * blockDim.x + i);\n"
         "  P[0] = x;\n  P[1] = y;\n  P[2] = value;\n}\n";
}

constexpr const char* kArgumentText = R"cu(
__constant__ double kSpecials[24] = {0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1.5, 10, -10,
    1e300, -1e300, 1e-310, -1e-310, 1e-40, 16777216, 8388607.5, 100, -1000};
template <class T, class Bits>
__device__ T argument(unsigned int i, unsigned int which, double least, double most) {
  // All pairs of special numbers first. The last two are infinite and no number.
  const unsigned int special = which % 2 == 0 ? i / 24 : i % 24;
  if (i < 24 * 24) {
    return special == 22 ? (T)__longlong_as_double(0x7ff0000000000000ll)
         : special == 23 ? (T)__longlong_as_double(0x7ff8000000000000ll) : (T)kSpecials[special];
  }
  // A hash of the two numbers (splitmix64).
  unsigned long long hash = (((unsigned long long)which << 32) + i + 1) * 0x9e3779b97f4a7c15ull;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ull;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebull;
  hash ^= hash >> 31;
  if (i % 3 != 0) return (T)(least + (most - least) * ((hash >> 11) * 0x1p-53));
  return __builtin_bit_cast(T, (Bits)(sizeof(T) == 4 ? hash >> 32 : hash));
}
#define BOTH(name, of, type)                                                                \
  __device__ type first##name(type x) { type a, b; of(x, &a, &b); return a; }               \
  __device__ type second##name(type x) { type a, b; of(x, &a, &b); return b; }
BOTH(f, sincosf, float)
BOTH(, sincos, double)
BOTH(pif, sincospif, float)
BOTH(pi, sincospi, double)
)cu";

/// The largest error of a function, and where.
struct Error {
  double ulp = 0;       ///< From the exact number.
  double distance = 0;  ///< From the exact number rounded once, as the guide counts.
  double x = 0, y = 0;
  std::string wrong;  ///< A special value that is another one.
};

template <class T>
void judge(Error& error, T x, T y, T got, Wide exact) {
  const T nearest = static_cast<T>(exact);
  const auto report = [&] {
    char text[200];
    std::snprintf(text, sizeof text, "at %.17g, %.17g: %.17g instead of %.17Lg",
                  static_cast<double>(x), static_cast<double>(y), static_cast<double>(got), exact);
    error.wrong = text;
  };
  if (std::isnan(nearest) || std::isnan(got)) {
    if (std::isnan(nearest) != std::isnan(got)) report();
    return;
  }
  // Infinite is one unit above the largest number.
  const auto finite = [&](T a) {
    return std::isinf(a) ? std::copysign(std::ldexp(Wide{1}, std::numeric_limits<T>::max_exponent),
                                         static_cast<Wide>(a))
                         : static_cast<Wide>(a);
  };
  if (nearest == 0 && got == 0) {
    if (std::signbit(nearest) != std::signbit(got)) report();
    return;
  }
  if (std::isinf(exact) || (exact == 0 && got != 0)) {
    if (got != nearest) report();
    return;
  }
  int power = 0;
  std::frexp(std::isinf(nearest) ? std::nextafter(nearest, T{0}) : nearest, &power);
  const int unit =
      std::max(power, std::numeric_limits<T>::min_exponent) - std::numeric_limits<T>::digits;
  const auto ulps = [&](Wide from, Wide to) {
    return static_cast<double>(std::fabs(from - to) / std::ldexp(Wide{1}, unit));
  };
  error.distance = std::max(error.distance, ulps(finite(got), finite(nearest)));
  const double ulp = std::isinf(got) == std::isinf(nearest) && !std::isinf(got)
                         ? ulps(static_cast<Wide>(got), exact)
                         : ulps(finite(got), finite(nearest));
  if (ulp <= error.ulp) return;
  error.ulp = ulp;
  error.x = static_cast<double>(x);
  error.y = static_cast<double>(y);
}

/// The errors of all functions, by the kernel for T.
template <class T, class Of>
Result<std::vector<Error>> errorsOf(const std::string& type, const std::string& bits, Of of,
                                    bool (*isCompared)(const Function&, T)) {
  CompileService service({support::sourceRoot(), "", "clang"});
  CompileRequest request;
  request.source = {"kernels/judge.cu", kArgumentText + kernelFor(type, bits, of), {}};
  const auto made = service.compile(request);
  if (!made) return made.error();
  const auto& all = functions();
  device::Job job;
  job.module = (*made)->module;
  job.ptx = (*made)->ptx;
  device::Operand& out = job.operands.emplace_back();
  out.name = "P";
  out.type = sizeof(T) == 4 ? ElementType::f32 : ElementType::f64;
  out.direction = Direction::out;
  out.fill = Fill::zero;
  out.elements = 3 * all.size() * kArguments;
  job.launches = {
      {"judge_" + type, {kBlocks, static_cast<uint32_t>(all.size()), 1}, {kThreads, 1, 1}, 0}};
  job.timeoutSeconds = 600;
  const auto outcome = device::openSimt(1)->run(job, {});
  if (!outcome) return outcome.error();
  std::vector<T> values(out.elements);
  std::memcpy(values.data(), outcome->outputs.front().data(), values.size() * sizeof(T));
  std::vector<Error> errors(all.size());
  for (size_t f = 0; f < all.size(); ++f) {
    for (size_t i = 0; i < kArguments; ++i) {
      const T* at = &values[3 * (f * kArguments + i)];
      if (isCompared(all[f], at[0]))
        judge(errors[f], at[0], at[1], at[2], all[f].exact(at[0], at[1]));
    }
  }
  return errors;
}

/// TILESTEP_MATH_OUT=FILE keeps the table of docs/measurements/device-math.md.
void record(const std::string& type, const Function& function, double bound, const Error& error) {
  const char* path = std::getenv("TILESTEP_MATH_OUT");
  if (path == nullptr) return;
  char text[200];
  std::snprintf(text, sizeof text, "| %s | %s | %.2f | %.0f | %.0f |\n", function.name,
                type.c_str(), error.ulp, error.distance, bound);
  std::ofstream(path, std::ios::app) << text;
}

TEST(DeviceMath, FloatsAreAsCloseAsTheGuideSays) {
  const auto errors = errorsOf<float>(
      "float", "unsigned int",
      [](const Function& f) { return std::tuple(f.floats, f.least, f.most); },
      [](const Function& f, float x) { return !(x > f.gapBegin && x < f.gapEnd); });
  ASSERT_TRUE(errors.ok()) << toString(errors.error());
  for (size_t f = 0; f < functions().size(); ++f) {
    const Function& function = functions()[f];
    const Error& error = (*errors)[f];
    EXPECT_LE(error.distance, function.floatBound)
        << function.floats << " at " << error.x << ", " << error.y << ": " << error.ulp << " ulp";
    EXPECT_EQ(error.wrong, "") << function.floats;
    record("float", function, function.floatBound, error);
  }
}

TEST(DeviceMath, DoublesAreAsCloseAsTheGuideSays) {
  const auto errors = errorsOf<double>(
      "double", "unsigned long long",
      [](const Function& f) { return std::tuple(f.doubles, f.doubleLeast, f.doubleMost); },
      [](const Function& f, double x) { return !(x > f.doubleGapBegin && x < f.doubleGapEnd); });
  ASSERT_TRUE(errors.ok()) << toString(errors.error());
  for (size_t f = 0; f < functions().size(); ++f) {
    const Function& function = functions()[f];
    const Error& error = (*errors)[f];
    EXPECT_LE(error.distance, function.doubleBound)
        << function.doubles << " at " << error.x << ", " << error.y << ": " << error.ulp << " ulp";
    EXPECT_EQ(error.wrong, "") << function.doubles;
    record("double", function, function.doubleBound, error);
  }
}

TEST(DeviceMath, NamesTakeEachTypeAsCudaHasThem) {
  CompileService service({support::sourceRoot(), "", "clang"});
  CompileRequest request;
  request.source = {"kernels/types.cu",
                    R"cu(
template <class A, class B> constexpr bool kSame = false;
template <class A> constexpr bool kSame<A, A> = true;
#define OF_ONE(name)                                     \
  static_assert(kSame<decltype(name(1.0f)), float>);     \
  static_assert(kSame<decltype(name##f(1.0)), float>);   \
  static_assert(kSame<decltype(name(1.0)), double>);     \
  static_assert(kSame<decltype(name(1)), double>);
OF_ONE(exp) OF_ONE(exp2) OF_ONE(exp10) OF_ONE(expm1) OF_ONE(log) OF_ONE(log2) OF_ONE(log10)
OF_ONE(log1p) OF_ONE(sin) OF_ONE(cos) OF_ONE(tan) OF_ONE(sinpi) OF_ONE(cospi) OF_ONE(asin)
OF_ONE(acos) OF_ONE(atan) OF_ONE(sinh) OF_ONE(cosh) OF_ONE(tanh) OF_ONE(asinh) OF_ONE(acosh)
OF_ONE(atanh) OF_ONE(cbrt) OF_ONE(rcbrt) OF_ONE(erf) OF_ONE(erfc) OF_ONE(erfinv) OF_ONE(erfcinv)
OF_ONE(erfcx) OF_ONE(normcdf) OF_ONE(normcdfinv) OF_ONE(tgamma) OF_ONE(lgamma)
#define OF_TWO(name)                                         \
  static_assert(kSame<decltype(name(1.0f, 1.0f)), float>);   \
  static_assert(kSame<decltype(name(1.0f, 1.0)), double>);   \
  static_assert(kSame<decltype(name(1.0, 1.0f)), double>);   \
  static_assert(kSame<decltype(name(1.0f, 1)), float>);      \
  static_assert(kSame<decltype(name(1.0, 1)), double>);      \
  static_assert(kSame<decltype(name(1, 1)), double>);
OF_TWO(pow) OF_TWO(atan2) OF_TWO(hypot)
static_assert(kSame<decltype(rhypot(1.0f, 1.0f)), double>);
static_assert(kSame<decltype(norm3d(1.0f, 1.0f, 1.0f)), double>);
#include <cmath>
__global__ void types(float* P) { P[0] = std::pow(P[1], 2) + std::expf(P[2]); }
)cu",
                    {}};
  const auto made = service.compile(request);
  EXPECT_TRUE(made.ok()) << toString(made.error());
}

}  // namespace device_math_test
}  // namespace tilestep::compile
