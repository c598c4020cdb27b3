// SPDX-License-Identifier: Apache-2.0
// Comparisons. The result in each lane is all ones or zero.
#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

template <class T, Relation relation>
struct Test {
  static uint32_t apply(T a, T b) {
    bool yes = false;
    const bool ordered = a == a && b == b;
    if constexpr (relation == Relation::eq) yes = a == b;
    if constexpr (relation == Relation::ne) yes = a != b && ordered;
    if constexpr (relation == Relation::lt) yes = a < b;
    if constexpr (relation == Relation::le) yes = a <= b;
    if constexpr (relation == Relation::gt) yes = a > b;
    if constexpr (relation == Relation::ge) yes = a >= b;
    if constexpr (relation == Relation::equ) yes = a == b || !ordered;
    if constexpr (relation == Relation::neu) yes = a != b;
    if constexpr (relation == Relation::ltu) yes = !(a >= b);
    if constexpr (relation == Relation::leu) yes = !(a > b);
    if constexpr (relation == Relation::gtu) yes = !(a <= b);
    if constexpr (relation == Relation::geu) yes = !(a < b);
    if constexpr (relation == Relation::num) yes = ordered;
    if constexpr (relation == Relation::nan) yes = !ordered;
    return yes ? 0xffffffffu : 0u;
  }
};

template <class T, Relation relation>
constexpr Handler kTest = binary<Test<T, relation>, uint32_t, T, T>;

template <class T>
Handler integer(Relation relation) {
  switch (relation) {
    case Relation::eq:
      return kTest<T, Relation::eq>;
    case Relation::ne:
      return kTest<T, Relation::ne>;
    case Relation::lt:
      return kTest<T, Relation::lt>;
    case Relation::le:
      return kTest<T, Relation::le>;
    case Relation::gt:
      return kTest<T, Relation::gt>;
    case Relation::ge:
      return kTest<T, Relation::ge>;
    default:
      return nullptr;
  }
}

template <class T>
Handler real(Relation relation) {
  switch (relation) {
    case Relation::equ:
      return kTest<T, Relation::equ>;
    case Relation::neu:
      return kTest<T, Relation::neu>;
    case Relation::ltu:
      return kTest<T, Relation::ltu>;
    case Relation::leu:
      return kTest<T, Relation::leu>;
    case Relation::gtu:
      return kTest<T, Relation::gtu>;
    case Relation::geu:
      return kTest<T, Relation::geu>;
    case Relation::num:
      return kTest<T, Relation::num>;
    case Relation::nan:
      return kTest<T, Relation::nan>;
    default:
      return integer<T>(relation);
  }
}

}  // namespace

Handler compare(Relation relation, Lane type) {
  switch (type) {
    case Lane::u16:
      return integer<uint16_t>(relation);
    case Lane::s16:
      return integer<int16_t>(relation);
    case Lane::u32:
      return integer<uint32_t>(relation);
    case Lane::s32:
      return integer<int32_t>(relation);
    case Lane::u64:
      return integer<uint64_t>(relation);
    case Lane::s64:
      return integer<int64_t>(relation);
    case Lane::f32:
      return real<float>(relation);
    case Lane::f64:
      return real<double>(relation);
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
