// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

/// CUDA's functions that the host's library does not have, in long double. Each is several hundred
/// times more accurate than a double.
namespace tilestep::compile::exact {

using Wide = long double;
constexpr Wide kPi = 3.14159265358979323846264338327950288L;
constexpr Wide kRootTwo = 1.41421356237309504880168872420969808L;

inline Wide sinpi(Wide x) {
  Wide turn = std::remainder(x, 2.0L);
  if (std::fabs(turn) > 0.5L) turn = std::copysign(1.0L, turn) - turn;
  return turn == 0 ? std::copysign(0.0L, x) : std::sin(kPi * turn);
}
inline Wide cospi(Wide x) {
  const Wide turn = std::fabs(std::remainder(x, 2.0L));
  if (turn < 0.25L) return std::cos(kPi * turn);
  return turn > 0.75L ? -std::cos(kPi * (1 - turn)) : std::sin(kPi * (0.5L - turn));
}
inline Wide expOfSquare(Wide x) {
  const Wide square = x * x;
  if (square > 11000) return std::numeric_limits<Wide>::infinity();
  return std::exp(square) * (1 + std::fma(x, x, -square));
}
inline Wide erfcx(Wide x) {
  if (std::fabs(x) > 1e15L)
    return x < 0 ? std::numeric_limits<Wide>::infinity() : 1 / (x * std::sqrt(kPi));
  if (x < 20) return expOfSquare(x) * std::erfc(x);
  Wide fraction = 0;
  for (int k = 80; k > 0; --k) fraction = 0.5L * static_cast<Wide>(k) / (x + fraction);
  return 1 / ((x + fraction) * std::sqrt(kPi));
}
inline Wide normcdf(Wide x) {
  const Wide scaled = -x / kRootTwo, lost = std::fma(scaled, kRootTwo, x) / kRootTwo;
  const Wide tail = std::erfc(scaled);
  return scaled < 1 || scaled > 60 ? tail / 2 : tail / 2 * (1 + 2 * scaled * lost);
}
/// Solves log(erfc(s)) = log(y) by Newton's method; near `middle`, erf(s) = 1 - y.
inline Wide erfcinvOf(Wide y, Wide middle) {
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
inline Wide erfinv(Wide x) {
  if (!(std::fabs(x) < 1) || x == 0)
    return std::fabs(x) == 1 ? x * std::numeric_limits<Wide>::infinity() : x == 0 ? x : NAN;
  return std::copysign(erfcinvOf(1 - std::fabs(x), std::fabs(x)), x);
}
inline Wide erfcinv(Wide y) {
  if (!(y > 0 && y < 2))
    return y == 0 || y == 2 ? (1 - y) * std::numeric_limits<Wide>::infinity() : NAN;
  return y <= 1 ? erfcinvOf(y, 1 - y) : -erfcinvOf(2 - y, y - 1);
}
inline Wide tgamma(Wide x) {
  if (x < 0 && std::floor(x) == x) return NAN;
  if (x < -1000) return std::fmod(std::floor(x), 2.0L) == 0 ? 0.0L : -0.0L;
  return std::tgamma(x);
}
inline Wide lgamma(Wide x) {
  int sign = 0;
  return lgammal_r(x, &sign);
}
inline Wide length(Wide x, Wide y, Wide z, Wide t) {
  return std::hypot(std::hypot(x, y), std::hypot(z, t));
}
/// The last bits with the quotient's sign; 0 if there is no quotient.
inline Wide lastBitsOfQuotient(Wide x, Wide y) {
  int quotient = 0;
  const Wide rest = std::remquo(x, y, &quotient);
  return std::isnan(rest) || std::isinf(y) ? 0 : quotient % 8;
}

}  // namespace tilestep::compile::exact
