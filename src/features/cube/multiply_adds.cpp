// SPDX-License-Identifier: Apache-2.0
#include "features/cube/multiply_adds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/text/step_text.h"

namespace tilestep::features {
namespace {

template <class T>
bool adds(double before, double left, double right, double after) {
  const T sum = static_cast<T>(before), a = static_cast<T>(left), b = static_cast<T>(right);
  const T product = a * b;
  return std::fma(a, b, sum) == static_cast<T>(after) || sum + product == static_cast<T>(after);
}

}  // namespace

bool isMultiplyAdd(ElementType type, uint64_t before, uint64_t left, uint64_t right,
                   uint64_t after) {
  const double sum = valueOf(type, before), a = valueOf(type, left), b = valueOf(type, right),
               result = valueOf(type, after);
  switch (type) {
    case ElementType::f32:
      return adds<float>(sum, a, b, result);
    case ElementType::f64:
    case ElementType::i32:
      return adds<double>(sum, a, b, result);
    default:
      return true;
  }
}

MultiplyAdds::MultiplyAdds(const TracedKernel& side, const ProductShape& /*shape*/,
                           const SumElements& sums, const trace::Elements& elements)
    : sums_(sums), elements_(elements), type_(outputType(side)) {
  const trace::BlockTrace& recording = side.replay->recording();
  each_ = std::max(recording.accumulators, 1U);
  values_.assign(recording.blockShape.count() * each_, 0);
}

void MultiplyAdds::see(uint32_t index, const trace::TraceEvent& event, const Factors& factors) {
  const std::vector<const Factors::Held*> held = factors.feeding(event);
  elements_.visit(index, event, event.mask,
                  [&](const trace::Access& access, uint32_t) { update(access, held); });
}

void MultiplyAdds::gather(const std::vector<const Factors::Held*>& held, uint32_t lane,
                          bool earlier) {
  left_.clear();
  right_.clear();
  zero_ = false;
  for (const Factors::Held* load : held)
    for (uint32_t part = 0; part < load->parts; ++part) {
      const size_t at = size_t{lane} * load->parts + part;
      const Factor& factor = earlier ? load->earlier[at] : load->byLane[at];
      zero_ |= factor.kind == Factor::Kind::zero;
      if (factor.kind == Factor::Kind::left) left_.push_back(factor);
      if (factor.kind == Factor::Kind::right) right_.push_back(factor);
    }
}

std::optional<uint32_t> MultiplyAdds::termOf(const MatrixElement& element, uint64_t before,
                                             uint64_t after) const {
  for (const Factor& left : left_) {
    if (left.element.row != element.row) continue;
    for (const Factor& right : right_)
      if (right.element.column == element.column && right.element.row == left.element.column &&
          isMultiplyAdd(type_, before, left.bits, right.bits, after))
        return left.element.column;
  }
  return std::nullopt;
}

void MultiplyAdds::update(const trace::Access& access,
                          const std::vector<const Factors::Held*>& held) {
  uint64_t before = 0;
  if (access.buffer >= 0 && static_cast<uint32_t>(access.buffer) < each_) {
    uint64_t& value = values_[size_t{access.thread} * each_ + static_cast<size_t>(access.buffer)];
    before = std::exchange(value, access.bits);
  }
  const std::optional<MatrixElement> element = sums_.of(access.thread, access.buffer);
  bool zero = false;
  // A kernel that prefetches multiplies elements from before its last load.
  for (const bool earlier : {false, true}) {
    gather(held, access.lane, earlier);
    zero |= zero_;
    if (!element) continue;
    if (const std::optional<uint32_t> k = termOf(*element, before, access.bits)) {
      points.push_back({element->row, element->column, *k, access.event, access.thread, 0});
      return;
    }
  }
  // A multiply-add with a zero does not change the sum.
  others.push_back({access.event, access.thread, zero && before == access.bits});
}

}  // namespace tilestep::features
