// SPDX-License-Identifier: Apache-2.0
#include "model/scene/wrong_outputs.h"

#include <algorithm>
#include <cmath>

#include "base/figure.h"
#include "model/text/step_text.h"

namespace tilestep::model {
namespace {

/// A product's operands: M, N and P, in the order of the front matter.
struct Product {
  const std::vector<float>*left = nullptr, *right = nullptr;
  uint64_t n = 0, k = 0;
  int16_t output = -1;
};

/// Absent if an operand is missing or its values are not held in memory.
std::optional<Product> productOf(const TracedKernel& side) {
  Product product;
  const auto& operands = side.result->plan.operands;
  for (size_t i = 0; i < operands.size() && i < side.inputs.size(); ++i) {
    const compile::ResolvedOperand& operand = operands[i];
    if (operand.spec.kind != OperandKind::buffer) continue;
    if (operand.spec.direction != Direction::in) {
      if (product.output < 0) product.output = static_cast<int16_t>(i);
      continue;
    }
    const std::vector<float>* values = side.inputs[i].get();
    if (values == nullptr) return std::nullopt;
    if (product.left == nullptr) {
      product.left = values;
      product.k = operand.columns;
    } else if (product.right == nullptr) {
      product.right = values;
      product.n = operand.columns;
    }
  }
  const bool whole = product.right != nullptr && product.output >= 0 && product.n > 0 &&
                     product.k > 0 && product.right->size() == product.k * product.n;
  return whole ? std::optional(product) : std::nullopt;
}

/// |out - reference| / sum |a||b|, as in lab/product_reference.h.
double errorOf(const Product& product, uint64_t row, uint64_t column, double value) {
  double sum = 0, scale = 0;
  for (uint64_t i = 0; i < product.k; ++i) {
    const double term = double{(*product.left)[row * product.k + i]} *
                        double{(*product.right)[i * product.n + column]};
    sum += term;
    scale += std::fabs(term);
  }
  const double off = std::fabs(value - sum);
  return off == 0 ? 0 : off / scale;
}

}  // namespace

std::vector<trace::Place> wrongOutputsOf(const TracedKernel& side) {
  std::vector<trace::Place> wrong;
  const std::optional<lab::Check>& check = side.result->check;
  const bool failed = check && !check->ok && side.spec.reference == "matmul";
  if (!failed || side.replay->recording().truncated()) return wrong;
  const std::optional<Product> product = productOf(side);
  if (!product) return wrong;
  const ElementType type = outputType(side);
  for (const trace::OutputElement& element : side.end.outputs) {
    if (element.place.buffer != product->output || (element.written && !element.known)) continue;
    const uint64_t at = element.place.offset / bytesOf(type);
    const uint64_t row = at / product->n, column = at % product->n;
    if ((row + 1) * product->k > product->left->size()) continue;
    const bool right = element.written &&
                       errorOf(*product, row, column, valueOf(type, element.bits)) <= check->bound;
    if (!right) wrong.push_back(element.place);
  }
  return wrong;
}

std::string problemText(const TracedKernel& side) {
  const lab::RunResult& result = *side.result;
  if (!result.faults.empty()) return plural(result.faults.size(), "fault");
  if (result.check && !result.check->ok) {
    const std::string all = " of " + plural(side.end.outputs.size(), "element");
    return side.wrong.empty() ? "wrong result"
                              : "wrong result: " + grouped(side.wrong.size()) + all;
  }
  if (result.hazards && !result.hazards->empty()) return plural(result.hazards->size(), "race");
  return {};
}

}  // namespace tilestep::model
