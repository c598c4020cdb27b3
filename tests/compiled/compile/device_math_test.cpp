// SPDX-License-Identifier: Apache-2.0
// The mathematical functions that clang compiles (assets/clang/cuda_subset_exp.h and similar
// headers), in the interpreter. No error exceeds the bound in the CUDA C++ Programming Guide,
// "Mathematical Functions". Special values are those of ISO C, annex F, and the CUDA Math API.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>

#include "compile/compiler.h"
#include "compiled/compile/exact_functions.h"
#include "device/device.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::compile::device_math_test {

using exact::Wide;

struct Function {
  const char* name;
  std::string floats, doubles;  ///< Expressions of x, and of y if there are two arguments.
  Wide (*exact)(Wide x, Wide y);
  double floatBound, doubleBound;  ///< In ulp, from the exact number rounded once.
  /// Two of three arguments are in this range, the others anywhere.
  double least, most, doubleLeast, doubleMost;
  /// Arguments in this interval are not compared, because the guide states no bound.
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
      ONE(sinpi, exact::sinpi(x), 1, 2, -3, 3, -3, 3),
      ONE(cospi, exact::cospi(x), 1, 2, -3, 3, -3, 3),
      {"sincos, first", "firstf(x)", "first(x)", [](Wide x, Wide) -> Wide { return std::sin(x); },
       2, 2, -1e6, 1e6, -1e7, 1e7},
      {"sincos, second", "secondf(x)", "second(x)",
       [](Wide x, Wide) -> Wide { return std::cos(x); }, 2, 2, -1e6, 1e6, -1e7, 1e7},
      {"sincospi, first", "firstpif(x)", "firstpi(x)",
       [](Wide x, Wide) -> Wide { return exact::sinpi(x); }, 1, 2, -10, 10, -10, 10},
      {"sincospi, second", "secondpif(x)", "secondpi(x)",
       [](Wide x, Wide) -> Wide { return exact::cospi(x); }, 1, 2, -10, 10, -10, 10},
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
       [](Wide x, Wide y) -> Wide { return exact::length(x, y, 0.5L, 0); }, 3, 2, -1, 1, -1, 1},
      {"norm4d", "norm4df(x, y, 0.5f, x)", "norm4d(x, y, 0.5, x)",
       [](Wide x, Wide y) -> Wide { return exact::length(x, y, 0.5L, x); }, 3, 2, -1, 1, -1, 1},
      {"rnorm3d", "rnorm3df(x, y, 0.5f)", "rnorm3d(x, y, 0.5)",
       [](Wide x, Wide y) -> Wide { return 1 / exact::length(x, y, 0.5L, 0); }, 2, 1, -1, 1, -1, 1},
      {"rnorm4d", "rnorm4df(x, y, 0.5f, x)", "rnorm4d(x, y, 0.5, x)",
       [](Wide x, Wide y) -> Wide { return 1 / exact::length(x, y, 0.5L, x); }, 2, 1, -1, 1, -1, 1},
      {"norm", "normOf(x, y)", "normOf(x, y)",
       [](Wide x, Wide y) -> Wide { return exact::length(x, y, 0.25L, y); }, 3, 2, -1, 1, -1, 1},
      {"remquo", "restf(x, y)", "rest(x, y)",
       [](Wide x, Wide y) -> Wide { return std::remainder(x, y); }, 0, 0, -100, 100, -100, 100},
      {"remquo, quotient", "timesf(x, y)", "times(x, y)",
       [](Wide x, Wide y) -> Wide { return exact::lastBitsOfQuotient(x, y); }, 0, 0, -100, 100,
       -100, 100},
      ONE(erf, std::erf(x), 2, 2, -4, 4, -6, 6),
      ONE(erfc, std::erfc(x), 4, 5, -4, 10.2, -6, 27.5),
      ONE(erfinv, exact::erfinv(x), 2, 5, -1, 1, -1, 1),
      ONE(erfcinv, exact::erfcinv(x), 4, 6, 0, 2, 0, 2),
      ONE(erfcx, exact::erfcx(x), 4, 4, -9.5, 20, -27, 40),
      ONE(normcdf, exact::normcdf(x), 5, 5, -14.5, 6, -38.6, 9),
      ONE(normcdfinv, 0 - exact::kRootTwo * exact::erfcinv(2 * x), 5, 8, 0, 1, 0, 1),
      ONE(tgamma, exact::tgamma(x), 5, 10, -43, 36, -185, 172),
      ONE(lgamma, exact::lgamma(x), 6, 4, -30, 20, -30, 20, -10.001, -2.264, -23.0001, -2.2637),
  };
  return all;
}
#undef ONE
#undef TWO

constexpr int kThreads = 128, kBlocks = 80, kArguments = kThreads * kBlocks;

constexpr const char* kArgumentText = R"cu(
__constant__ double kSpecials[24] = {0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1.5, 10, -10,
    1e300, -1e300, 1e-310, -1e-310, 1e-40, 16777216, 8388607.5, 100, -1000};
__device__ Type argument(unsigned int i, unsigned int round, unsigned int which, double least, double most) {
  // All pairs of special numbers come first. The last two are infinity and NaN.
  const unsigned int special = which % 2 == 0 ? i / 24 : i % 24;
  if (i < 24 * 24) {
    return special == 22 ? (Type)__longlong_as_double(0x7ff0000000000000ll)
         : special == 23 ? (Type)__longlong_as_double(0x7ff8000000000000ll) : (Type)kSpecials[special];
  }
  // A hash of the three numbers (splitmix64).
  unsigned long long hash = ((unsigned long long)which << 48) + ((unsigned long long)round << 24) + i;
  hash = (hash + 1) * 0x9e3779b97f4a7c15ull;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ull;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebull;
  hash ^= hash >> 31;
  if (i % 3 != 0) return (Type)(least + (most - least) * ((hash >> 11) * 0x1p-53));
  return __builtin_bit_cast(Type, (Bits)(sizeof(Type) == 4 ? hash >> 32 : hash));
}
#define BOTH(name, of, type)                                                                \
  __device__ type first##name(type x) { type a, b; of(x, &a, &b); return a; }               \
  __device__ type second##name(type x) { type a, b; of(x, &a, &b); return b; }
#define OF_TWO(name, norm, remquo, type)                                                    \
  __device__ type normOf(type x, type y) { type a[4] = {x, y, 0.25, y}; return norm(4, a); } \
  __device__ type rest##name(type x, type y) { int n; return remquo(x, y, &n); }            \
  __device__ type times##name(type x, type y) { int n; remquo(x, y, &n); return n; }
OF_TWO(f, normf, remquof, float)
OF_TWO(, norm, remquo, double)
BOTH(f, sincosf, float)
BOTH(, sincos, double)
BOTH(pif, sincospif, float)
BOTH(pi, sincospi, double)
#define CASE(number, least, most, expression)     \
  case number:                                    \
    x = argument(i, round, 2 * number, least, most);     \
    y = argument(i, round, 2 * number + 1, least, most); \
    value = expression;                           \
    break;
extern "C" __global__ void judge(Type* P, unsigned int round) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  Type x, y, value;
  switch (blockIdx.y) {
)cu";

/// A kernel that writes, for each function (blockIdx.y) and argument, the arguments and the result.
/// `of` gives a function's expression and its range.
template <class Of>
std::string kernelFor(const std::string& type, const std::string& bits, Of of) {
  std::string cases;
  for (const Function& function : functions()) {
    const auto [expression, least, most] = of(function);
    char range[80];
    std::snprintf(range, sizeof range, "%.17g, %.17g", least, most);
    cases += "    CASE(" + std::to_string(&function - functions().data()) + ", " + range + ", (" +
             expression + "))\n";
  }
  return "using Type = " + type + ";\nusing Bits = " + bits + ";\n" + kArgumentText + cases +
         "    default: return;\n  }\n"
         "  P += 3 * (blockIdx.y * gridDim.x * blockDim.x + i);\n"
         "  P[0] = x;\n  P[1] = y;\n  P[2] = value;\n}\n";
}

/// The largest error of a function, and its argument.
struct Error {
  double ulp = 0;       ///< From the exact number.
  double distance = 0;  ///< From the exact number rounded once, as in the guide.
  double x = 0, y = 0;
  std::string wrong;  ///< A wrong special value.
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
  // Infinity counts as one unit above the largest number.
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

/// TILESTEP_MATH_ROUNDS=N tests N times as many arguments.
int rounds() {
  const char* text = std::getenv("TILESTEP_MATH_ROUNDS");
  return text == nullptr ? 1 : std::atoi(text);
}

/// The errors of all functions, computed by one kernel per type.
template <class T, class Of>
Result<std::vector<Error>> errorsOf(const std::string& type, const std::string& bits, Of of,
                                    bool (*isCompared)(const Function&, T)) {
  CompileService service({support::sourceRoot(), "", "clang"});
  CompileRequest request;
  request.source = {"kernels/judge.cu", kernelFor(type, bits, of), {}};
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
  device::Operand& round = job.operands.emplace_back();
  round.kind = OperandKind::scalar;
  round.type = ElementType::u32;
  round.elements = 1;
  job.launches = {{"judge", {kBlocks, static_cast<uint32_t>(all.size()), 1}, {kThreads, 1, 1}, 0}};
  job.timeoutSeconds = 600;
  std::vector<Error> errors(all.size());
  std::vector<T> values(3 * all.size() * kArguments);
  for (int i = 0; i < rounds(); ++i) {
    job.operands.back().scalar = i;
    const auto outcome = device::openSimt(1)->run(job, {});
    if (!outcome) return outcome.error();
    std::memcpy(values.data(), outcome->outputs.front().data(), values.size() * sizeof(T));
    for (size_t at = 0; at < values.size(); at += 3) {
      const size_t f = at / (size_t{3} * kArguments);
      const T x = values[at], y = values[at + 1];
      if (isCompared(all[f], x)) judge(errors[f], x, y, values[at + 2], all[f].exact(x, y));
    }
  }
  return errors;
}

/// TILESTEP_MATH_OUT=FILE writes the table of docs/measurements/device-math.md.
void record(const std::string& type, const Function& function, double bound, const Error& error) {
  const char* path = std::getenv("TILESTEP_MATH_OUT");
  if (path == nullptr) return;
  char text[200];
  std::snprintf(text, sizeof text, "| %s | %s | %.2f | %.0f | %.0f |\n", function.name,
                type.c_str(), error.ulp, error.distance, bound);
  std::ofstream(path, std::ios::app) << text;
}

/// Compares all functions of a type. `bound`: the member that holds the bound.
template <class T, class Of>
void expectClose(const std::string& type, const std::string& bits, Of of,
                 bool (*isCompared)(const Function&, T), double Function::*bound) {
  const auto errors = valueOrThrow(errorsOf<T>(type, bits, of, isCompared));
  for (size_t f = 0; f < functions().size(); ++f) {
    const Function& function = functions()[f];
    const Error& error = errors[f];
    EXPECT_LE(error.distance, function.*bound)
        << function.name << " at " << error.x << ", " << error.y << ": " << error.ulp << " ulp";
    EXPECT_EQ(error.wrong, "") << function.name;
    record(type, function, function.*bound, error);
  }
}

TEST(DeviceMath, FloatsAreWithinTheGuidesBounds) {
  expectClose<float>(
      "float", "unsigned int",
      [](const Function& f) { return std::tuple(f.floats, f.least, f.most); },
      [](const Function& f, float x) { return !(x > f.gapBegin && x < f.gapEnd); },
      &Function::floatBound);
}

TEST(DeviceMath, DoublesAreWithinTheGuidesBounds) {
  const auto errors = valueOrThrow(errorsOf<double>(
      "double", "unsigned long long",
      [](const Function& f) { return std::tuple(f.doubles, f.doubleLeast, f.doubleMost); },
      [](const Function& f, double x) { return !(x > f.doubleGapBegin && x < f.doubleGapEnd); }));
  for (size_t f = 0; f < functions().size(); ++f) {
    const Function& function = functions()[f];
    const Error& error = errors[f];
    EXPECT_LE(error.distance, function.doubleBound)
        << function.doubles << " at " << error.x << ", " << error.y << ": " << error.ulp << " ulp";
    EXPECT_EQ(error.wrong, "") << function.doubles;
    record("double", function, function.doubleBound, error);
  }
}

TEST(DeviceMath, NamesAcceptTheTypesThatCudaAccepts) {
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

}  // namespace tilestep::compile::device_math_test
