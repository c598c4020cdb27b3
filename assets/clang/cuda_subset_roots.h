// SPDX-License-Identifier: Apache-2.0
// Cube roots by iterations of higher order for the inverse cube root (J. F. Traub, "Iterative
// Methods for the Solution of Equations", 1964, chapter 5), and lengths of vectors from sums of
// squares that are kept as pairs. The last step of each is corrected by its remainder.
#pragma once

#include "cuda_subset_pairs.h"

// 1 / cbrt(m) for 1 <= m <= 8 by a cubic, and the number of iterations that it needs.
TILESTEP_PURE float tilestep_rcbrt_start(float m) {
  return tilestep_polynomial(m, -0.0025490066f, 0.0458959825f, -0.29721278f, 1.23702621f);
}
TILESTEP_PURE double tilestep_rcbrt_start(double m) {
  return tilestep_polynomial(m, -0.0025490068124249914, 0.045895985678786354, -0.29721279347240065,
                             1.2370262246452506);
}

// With h = 1 - m z^3: 1 / cbrt(m) = z (1 - h)^(-1/3), whose series begins 1 + h/3 + 2/9 h^2.
template <class T>
TILESTEP_PURE T tilestep_rcbrt_step(T m, T z) {
  const T h = fma(-tilestep_times(z, z), tilestep_times(m, z), (T)1);
  const T series = tilestep_polynomial(h, (T)(14.0 / 81), (T)(2.0 / 9), (T)(1.0 / 3));
  return fma(tilestep_times(z, h), series, z);
}

// |a| = m 8^thirds with 1 <= m < 8, and nearly 1 / cbrt(m), of a finite a other than 0.
template <class T>
struct tilestep_cube {
  int thirds;
  T m, root;
};
template <class T>
TILESTEP_PURE tilestep_cube<T> tilestep_cube_of(T a) {
  using Format = tilestep_format<T>;
  constexpr int kUp = sizeof(T) == 4 ? 24 : 54, kThirds = 400;
  const T size = fabs(a);
  const bool isSmall = size < tilestep_constants<T>::kLeastNormal;
  const T raised = tilestep_times(size, tilestep_power_of_two<T>(kUp));
  const T normal = tilestep_choice(isSmall, raised, size);
  const auto bits = __builtin_bit_cast(typename Format::Bits, normal);
  const int power = (int)(bits >> Format::kFraction) - Format::kBias;
  const int thirds = (int)((unsigned int)(power + 3 * kThirds) / 3) - kThirds;
  const auto scaled = bits - ((typename Format::Bits)(3 * thirds) << Format::kFraction);
  const T m = __builtin_bit_cast(T, scaled);
  T root = tilestep_rcbrt_step(m, tilestep_rcbrt_start(m));
  if constexpr (sizeof(T) == 8) root = tilestep_rcbrt_step(m, root);
  return {thirds - (isSmall ? kUp / 3 : 0), m, root};
}

template <class T>
TILESTEP_PURE T tilestep_cbrt(T a) {
  const tilestep_cube<T> cube = tilestep_cube_of(a);
  const T square = tilestep_times(cube.root, cube.root);
  const T root = tilestep_times(cube.m, square);
  // root + (m - root^3) / (3 root^2)
  const auto rootSquare = tilestep_exact_product(root, root);
  const T left = fma(-rootSquare.low, root, fma(-rootSquare.high, root, cube.m));
  const T fine = fma(tilestep_times(left, (T)(1.0 / 3)), square, root);
  const T result = copysign(tilestep_times(fine, tilestep_power_of_two<T>(cube.thirds)), a);
  return tilestep_choice(a == 0 || isinf(a) || isnan(a), a, result);
}
template <class T>
TILESTEP_PURE T tilestep_rcbrt(T a) {
  const tilestep_cube<T> cube = tilestep_cube_of(a);
  const auto square = tilestep_exact_product(cube.root, cube.root);
  const auto product = tilestep_exact_product(cube.m, cube.root);
  const T most = fma(-square.high, product.high, (T)1);
  const T left = fma(-square.low, product.high, fma(-square.high, product.low, most));
  const T fine = fma(tilestep_times(cube.root, left), (T)(1.0 / 3), cube.root);
  const T result = copysign(tilestep_times(fine, tilestep_power_of_two<T>(-cube.thirds)), a);
  return tilestep_choice(a == 0 || isinf(a) || isnan(a), tilestep_over((T)1, a), result);
}

// The sum of squares of numbers made larger or smaller by a power of two, so that none overflows
// and the largest loses nothing.
template <class T>
struct tilestep_squares {
  T scale, unscale;
  tilestep_wide<T> sum;
  bool isInfinite;
};
template <class T>
struct tilestep_square_range;
template <>
struct tilestep_square_range<float> {
  static constexpr float kLeast = 0x1p-40f, kMost = 0x1p60f;
  static constexpr int kUp = 90, kDown = -80;
};
template <>
struct tilestep_square_range<double> {
  static constexpr double kLeast = 0x1p-400, kMost = 0x1p500;
  static constexpr int kUp = 600, kDown = -600;
};
template <class T>
TILESTEP_PURE tilestep_wide<T> tilestep_with_square(tilestep_wide<T> sum, T a) {
  const auto square = tilestep_exact_product(a, a);
  const auto total = tilestep_exact_sum(sum.high, square.high);
  return {total.high, tilestep_add(sum.low, tilestep_add(total.low, square.low))};
}
template <class T>
TILESTEP_PURE tilestep_wide<T> tilestep_square_sum(T scale, T a) {
  return tilestep_exact_product(tilestep_times(a, scale), tilestep_times(a, scale));
}
template <class T, class... Rest>
TILESTEP_PURE tilestep_wide<T> tilestep_square_sum(T scale, T a, Rest... rest) {
  return tilestep_with_square(tilestep_square_sum(scale, rest...), tilestep_times(a, scale));
}
template <class T>
TILESTEP_PURE T tilestep_largest(T a) {
  return fabs(a);
}
template <class T, class... Rest>
TILESTEP_PURE T tilestep_largest(T a, Rest... rest) {
  return fmax(fabs(a), tilestep_largest(rest...));
}
template <class T, class... Rest>
TILESTEP_PURE tilestep_squares<T> tilestep_squares_of(T a, Rest... rest) {
  using Range = tilestep_square_range<T>;
  const T most = tilestep_largest(a, rest...);
  const int power = most > Range::kMost ? Range::kDown : most < Range::kLeast ? Range::kUp : 0;
  const T scale = tilestep_power_of_two<T>(power);
  const tilestep_wide<T> sum = tilestep_square_sum(scale, a, rest...);
  return {scale, tilestep_power_of_two<T>(-power), tilestep_ordered_sum(sum.high, sum.low),
          most == tilestep_constants<T>::kInfinity};
}

template <class T>
TILESTEP_PURE T tilestep_length_of(tilestep_squares<T> squares) {
  const T root = sqrt(squares.sum.high);
  const T left = tilestep_add(fma(-root, root, squares.sum.high), squares.sum.low);
  const T fine = tilestep_add(root, tilestep_over(left, tilestep_add(root, root)));
  const T length = tilestep_choice(root == 0, root, tilestep_times(fine, squares.unscale));
  return tilestep_choice(squares.isInfinite, tilestep_constants<T>::kInfinity, length);
}
template <class T>
TILESTEP_PURE T tilestep_inverse_length_of(tilestep_squares<T> squares) {
  const T inverse = tilestep_over((T)1, sqrt(squares.sum.high));
  // inverse (1 + left / 2), where left = 1 - sum inverse^2
  const auto square = tilestep_exact_product(inverse, inverse);
  const T most = fma(-square.high, squares.sum.high, (T)1);
  const T left = fma(-square.low, squares.sum.high, fma(-square.high, squares.sum.low, most));
  const T fine = fma(tilestep_times((T)0.5, inverse), left, inverse);
  const bool isZero = squares.sum.high == 0;
  const T result = tilestep_choice(isZero, inverse, tilestep_times(fine, squares.scale));
  return tilestep_choice(squares.isInfinite, (T)0, result);
}

// These names for double do not accept a float, as in CUDA.
#define TILESTEP_LENGTHS(as, type, name2, name3, name4)      \
  TILESTEP_PURE type name2(type a, type b) {                 \
    return tilestep_##as(tilestep_squares_of(a, b));         \
  }                                                          \
  TILESTEP_PURE type name3(type a, type b, type c) {         \
    return tilestep_##as(tilestep_squares_of(a, b, c));      \
  }                                                          \
  TILESTEP_PURE type name4(type a, type b, type c, type d) { \
    return tilestep_##as(tilestep_squares_of(a, b, c, d));   \
  }
TILESTEP_LENGTHS(length_of, float, tilestep_hypot, norm3df, norm4df)
TILESTEP_LENGTHS(length_of, double, tilestep_hypot, norm3d, norm4d)
TILESTEP_LENGTHS(inverse_length_of, float, rhypotf, rnorm3df, rnorm4df)
TILESTEP_LENGTHS(inverse_length_of, double, rhypot, rnorm3d, rnorm4d)
#undef TILESTEP_LENGTHS

TILESTEP_FUNCTION1(cbrt)
TILESTEP_FUNCTION1(rcbrt)
TILESTEP_FUNCTION2(hypot)

// The length of a vector in memory, and its inverse, by one pass over the largest number and one
// over the squares.
template <class T>
TILESTEP_INLINE tilestep_squares<T> tilestep_squares_in(int count, const T* a) {
  T most = 0;
  for (int i = 0; i < count; ++i) most = fmax(most, fabs(a[i]));
  tilestep_squares<T> squares = tilestep_squares_of(most);
  tilestep_wide<T> sum = {0, 0};
  for (int i = 0; i < count; ++i) {
    sum = tilestep_with_square(sum, tilestep_times(a[i], squares.scale));
  }
  squares.sum = tilestep_ordered_sum(sum.high, sum.low);
  return squares;
}
#define TILESTEP_VECTOR_LENGTH(type, name, inverseName)               \
  TILESTEP_INLINE type name(int count, const type* a) {               \
    return tilestep_length_of(tilestep_squares_in(count, a));         \
  }                                                                   \
  TILESTEP_INLINE type inverseName(int count, const type* a) {        \
    return tilestep_inverse_length_of(tilestep_squares_in(count, a)); \
  }
TILESTEP_VECTOR_LENGTH(float, normf, rnormf)
TILESTEP_VECTOR_LENGTH(double, norm, rnorm)
#undef TILESTEP_VECTOR_LENGTH
