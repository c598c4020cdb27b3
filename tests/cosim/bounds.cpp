// SPDX-License-Identifier: Apache-2.0
#include "cosim/bounds.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace tilestep::cosim {
namespace {

double fromHalf(uint64_t bits, int mantissa, int bias) {
  const uint64_t fraction = bits & ((uint64_t{1} << mantissa) - 1);
  const auto exponent = static_cast<int>((bits & 0x7fff) >> mantissa);
  const int top = 0x7fff >> mantissa;
  double value = exponent == 0
                     ? std::ldexp(static_cast<double>(fraction), 1 - bias - mantissa)
                     : std::ldexp(std::ldexp(1.0, mantissa) + static_cast<double>(fraction),
                                  exponent - bias - mantissa);
  if (exponent == top) value = fraction != 0 ? std::nan("") : INFINITY;
  return (bits & 0x8000) != 0 ? -value : value;
}

double smallestNormalOf(Kind kind) {
  if (kind == Kind::f64) return 0x1p-1022;
  return kind == Kind::f16 || kind == Kind::f16x2 ? 0x1p-14 : 0x1p-126;
}

/// The distance of subnormal numbers, which is the smallest possible error.
double quantumOf(Kind kind) {
  switch (kind) {
    case Kind::f16:
    case Kind::f16x2:
      return 0x1p-24;
    case Kind::bf16:
    case Kind::bf16x2:
      return 0x1p-133;
    default:
      return kind == Kind::f64 ? 0x1p-1074 : 0x1p-149;
  }
}

bool flushes(const Form& form) {
  return form.text.find(".ftz") != std::string::npos;
}

/// A unit in the last place of an f32 of magnitude x.
double ulp(double x) {
  const int exponent = x == 0 ? -149 : std::max(std::ilogb(x) - 23, -149);
  return std::ldexp(1.0, exponent);
}

Bound periodic(double exact, double a) {
  const double turns = std::fabs(a) / std::numbers::pi;
  return {exact, turns <= 2 ? std::exp2(-20.5) : turns <= 100 ? std::exp2(-14.7) : -1.0};
}

Bound logarithm(double a) {
  const double exact = std::log2(a);
  return {exact, std::exp2(-22) * (a > 0.5 && a < 2 ? 1.0 : std::fabs(exact))};
}

/// The value for comparison: infinity is the number after the largest.
double comparable(double x, Kind kind) {
  const double beyond = kind == Kind::f16 || kind == Kind::f16x2 ? 0x1p16 : 0x1p128;
  return kind == Kind::f64 || std::fabs(x) < beyond ? x : std::copysign(beyond, x);
}

std::vector<double> sourcesAt(const Form& form, std::span<const uint64_t> sources, size_t part) {
  std::vector<double> values;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Kind kind = form.sources[i];
    const double value = numbersIn(kind, sources[i])[part];
    const bool zero = flushes(form) && std::fabs(value) < smallestNormalOf(kind);
    values.push_back(zero ? std::copysign(0.0, value) : value);
  }
  values.resize(2, 0.0);
  return values;
}

bool isWithin(const Form& form, const Bound& bound, double answer) {
  const Kind kind = form.results[0];
  const double exact = comparable(bound.exact, kind), given = comparable(answer, kind);
  if (exact == given) return true;
  const bool flushed = std::fabs(exact) < smallestNormalOf(kind) && given == 0;
  const double tolerance = std::max(bound.tolerance, quantumOf(kind));
  return (flushed && flushes(form)) || std::fabs(given - exact) <= tolerance;
}

/// The accepted distance from the GPU's answer if PTX ISA states no error.
double nearnessOf(const Form& form, double gpu) {
  const double size = std::fabs(gpu);
  switch (form.check) {
    case Check::sin:
    case Check::cos:
      return std::exp2(-20.5);
    case Check::rcpDouble:
    case Check::rsqrtDoubleCoarse:
      return size * 0x1p-19;  // One unit of the upper word.
    case Check::rsqrtDouble:
      return size * 0x1p-51;
    default:
      return std::max(size * 0x1p-21, quantumOf(form.results[0]));
  }
}

std::optional<std::string> complaintOfPart(const Form& form, const std::vector<double>& sources,
                                           double gpu, double here) {
  if (std::isnan(gpu) || std::isnan(here)) {
    if (std::isnan(gpu) && std::isnan(here)) return std::nullopt;
    return "one of the answers is not a number";
  }
  const Bound bound = boundOf(form, sources[0], sources[1]);
  if (bound.tolerance >= 0 && !std::isnan(bound.exact)) {
    if (!isWithin(form, bound, here)) return "beyond the error that PTX ISA states";
    return std::nullopt;
  }
  if (gpu == here || std::fabs(gpu - here) <= nearnessOf(form, gpu)) return std::nullopt;
  return "PTX ISA states no error here, and the GPU's answer is another";
}

}  // namespace

Bound boundOf(const Form& form, double a, double b) {
  const auto relative = [](double exact, double power) {
    return Bound{exact, std::fabs(exact) * std::exp2(power)};
  };
  switch (form.check) {
    case Check::div: {
      const double size = std::fabs(b);
      return {a / b, size >= 0x1p-126 && size <= 0x1p126 ? 2 * ulp(a / b) : -1.0};
    }
    case Check::divFull:
      return {a / b, 2 * ulp(a / b)};
    case Check::rcp:
      return {1 / a, ulp(1 / a)};
    case Check::sqrt:
      return relative(std::sqrt(a), -23);
    case Check::rsqrt:
      return relative(1 / std::sqrt(a), -22.9);
    case Check::rsqrtDouble:
    case Check::rsqrtDoubleCoarse:
      return {1 / std::sqrt(a), -1.0};
    case Check::rcpDouble:
      return {1 / a, -1.0};
    case Check::sin:
      return periodic(std::sin(a), a);
    case Check::cos:
      return periodic(std::cos(a), a);
    case Check::lg2:
      return logarithm(a);
    case Check::ex2:
      return relative(std::exp2(a), -22);
    case Check::tanh:
      return relative(std::tanh(a), -11);
    case Check::ex2Half:
      return relative(std::exp2(a), -9.9);
    case Check::tanhHalf:
      return {std::tanh(a), std::exp2(-10.987)};
    case Check::ex2Bfloat:
      return relative(std::exp2(a), -7);
    case Check::tanhBfloat:
      return {std::tanh(a), std::exp2(-8)};
    case Check::exact:
      break;
  }
  return {0, -1};
}

std::vector<double> numbersIn(Kind kind, uint64_t bits) {
  switch (kind) {
    case Kind::f32:
      return {std::bit_cast<float>(static_cast<uint32_t>(bits))};
    case Kind::f64:
      return {std::bit_cast<double>(bits)};
    case Kind::f16:
      return {fromHalf(bits, 10, 15)};
    case Kind::bf16:
      return {fromHalf(bits, 7, 127)};
    case Kind::f16x2:
      return {fromHalf(bits, 10, 15), fromHalf(bits >> 16, 10, 15)};
    case Kind::bf16x2:
      return {fromHalf(bits, 7, 127), fromHalf(bits >> 16, 7, 127)};
    default:
      return {static_cast<double>(bits)};
  }
}

std::optional<std::string> complaintOf(const Form& form, std::span<const uint64_t> sources,
                                       uint64_t gpu, uint64_t here) {
  const auto theirs = numbersIn(form.results[0], gpu), ours = numbersIn(form.results[0], here);
  for (size_t part = 0; part < theirs.size(); ++part) {
    const auto values = sourcesAt(form, sources, part);
    if (auto complaint = complaintOfPart(form, values, theirs[part], ours[part])) return complaint;
  }
  return std::nullopt;
}

double shareOfBound(const Form& form, std::span<const uint64_t> sources, uint64_t answer) {
  const auto numbers = numbersIn(form.results[0], answer);
  double most = 0;
  for (size_t part = 0; part < numbers.size(); ++part) {
    const auto values = sourcesAt(form, sources, part);
    const Bound bound = boundOf(form, values[0], values[1]);
    const bool counts = bound.tolerance > 0 && std::isfinite(bound.exact) &&
                        std::isfinite(numbers[part]) &&
                        std::fabs(bound.exact) >= smallestNormalOf(form.results[0]);
    if (counts) most = std::max(most, std::fabs(numbers[part] - bound.exact) / bound.tolerance);
  }
  return most;
}

}  // namespace tilestep::cosim
