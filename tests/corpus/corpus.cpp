// SPDX-License-Identifier: Apache-2.0
#include "corpus/corpus.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "base/files.h"
#include "base/hash.h"
#include "lab/elements.h"
#include "lab/formula.h"
#include "lab/job.h"
#include "lab/reference.h"
#include "support/source_root.h"

namespace tilestep::corpus {
namespace {

using Outputs = std::vector<std::vector<std::byte>>;

/// The folder that contains kernels/ and tests/: the source tree, or a folder above the program.
std::string home() {
  const Result<std::filesystem::path> found = findHome();
  return found ? found.value().string() : support::sourceRoot();
}

/// The cases of one line, in its order.
Result<std::vector<Case>> casesIn(const std::string& line) {
  std::vector<Case> cases(1);
  std::istringstream words(line);
  words >> cases.back().kernel;
  cases.back().key = cases.back().kernel;
  double tolerance = 0;
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (word[0] == '~') {
      tolerance = std::strtod(word.c_str() + 1, nullptr);
    } else if (word == "|") {
      Case& next = cases.emplace_back();
      next.kernel = next.key = cases.front().kernel;
    } else if (equals != std::string::npos) {
      cases.back().sizes[word.substr(0, equals)] =
          std::strtoll(word.c_str() + equals + 1, nullptr, 10);
      cases.back().key += " " + word;
    } else {
      return requestError("cases.txt: what is '" + word + "'?");
    }
  }
  for (Case& each : cases) each.tolerance = tolerance;
  return cases;
}

/// "other NAME ~TOLERANCE: REASON".
struct Other {
  std::string kernel, reason;
  double tolerance = 0;
};

bool isOther(const std::string& line) {
  return line.starts_with("other ");
}

Result<Other> otherOf(const std::string& line) {
  Other other;
  std::string kind, tolerance;
  const size_t colon = line.find(": ");
  std::istringstream words(line.substr(0, colon));
  words >> kind >> other.kernel >> tolerance;
  if (colon != std::string::npos) other.reason = line.substr(colon + 2);
  if (tolerance.starts_with('~')) other.tolerance = std::strtod(tolerance.c_str() + 1, nullptr);
  if (other.tolerance > 0 && !other.reason.empty()) return other;
  return requestError("cases.txt: what is '" + line + "'?");
}

/// Sets the other tolerance of every case of the kernel. Returns whether there is a case.
bool allow(std::vector<Case>& cases, const Other& other) {
  bool found = false;
  for (Case& each : cases) {
    if (each.kernel != other.kernel) continue;
    each.otherTolerance = other.tolerance;
    each.otherReason = other.reason;
    found = true;
  }
  return found;
}

template <class Visit>
void eachLine(const std::string& text, Visit visit) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != '#') visit(line);
  }
}

std::string hexOf(const Outputs& outputs) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const auto& output : outputs) {
    for (const std::byte byte : output) {
      text += kDigits[static_cast<unsigned>(byte) >> 4];
      text += kDigits[static_cast<unsigned>(byte) & 15];
    }
  }
  return text;
}

Result<Outputs> hexBytes(const std::string& hex, const Outputs& shape) {
  Outputs bytes(shape.size());
  size_t at = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    for (size_t byte = 0; byte < shape[i].size(); ++byte, at += 2) {
      if (at + 2 > hex.size()) return requestError("expected.txt has fewer bytes");
      bytes[i].push_back(std::byte(std::strtoul(hex.substr(at, 2).c_str(), nullptr, 16)));
    }
  }
  return bytes;
}

bool isFloat(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::f16 ||
         type == ElementType::bf16;
}

/// The difference relative to the larger of 1 and the value; 0 for two NaNs.
double apart(double value, double expected) {
  if (value == expected || (std::isnan(value) && std::isnan(expected))) return 0;
  const double error = std::fabs(value - expected) / std::max(1.0, std::fabs(expected));
  return std::isnan(error) ? INFINITY : error;
}

std::string bitsOf(const std::byte* data, unsigned width) {
  Outputs one(1);
  for (unsigned i = width; i > 0; --i) one[0].push_back(data[i - 1]);
  return "0x" + hexOf(one);
}

}  // namespace

std::string folder() {
  return home() + "/tests/corpus";
}

Result<std::vector<Case>> readCases() {
  const Result<std::string> text = readTextFile(folder() + "/cases.txt");
  if (!text) return text.error();
  std::vector<Case> cases;
  std::vector<Other> others;
  std::optional<Error> problem;
  eachLine(*text, [&](const std::string& line) {
    if (isOther(line)) {
      Result<Other> other = otherOf(line);
      if (!other) problem = other.error();
      if (other) others.push_back(std::move(*other));
    } else {
      Result<std::vector<Case>> more = casesIn(line);
      if (!more) problem = more.error();
      if (more) std::move(more->begin(), more->end(), std::back_inserter(cases));
    }
  });
  for (const Other& other : others) {
    if (!allow(cases, other)) problem = requestError("cases.txt: no case of " + other.kernel);
  }
  if (problem) return *problem;
  return cases;
}

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  const Result<std::vector<Case>> cases = readCases();
  if (!cases) return names;
  for (const Case& each : *cases) {
    if (names.empty() || names.back() != each.kernel) names.push_back(each.kernel);
  }
  return names;
}

std::vector<Case> casesOf(const std::string& kernel) {
  Result<std::vector<Case>> cases = readCases();
  if (!cases) return {};
  std::erase_if(*cases, [&](const Case& each) { return each.kernel != kernel; });
  return std::move(*cases);
}

bool racesOnPurpose(const std::string& kernel) {
  return kernel == "volatile_handshake";
}

std::map<std::string, std::string> readExpected() {
  std::map<std::string, std::string> expected;
  const Result<std::string> text = readTextFile(folder() + "/expected.txt");
  if (!text) return expected;
  eachLine(*text, [&](const std::string& line) {
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) expected[line.substr(0, colon)] = line.substr(colon + 2);
  });
  return expected;
}

Result<Prepared> prepare(const Case& each, compile::CompileService& service,
                         const device::DeviceInfo& info) {
  Result<compile::KernelSource> source =
      compile::findKernel(folder(), folder() + "/" + each.kernel + ".cu");
  if (!source) return source.error();
  source->path = "corpus/" + each.kernel + ".cu";
  Result<compile::KernelSpec> spec = compile::parseKernel(*source);
  if (!spec) return spec.error();
  Result<compile::Plan> plan = compile::plan(*spec, each.sizes, {}, info.limits);
  if (!plan) return plan.error();
  const Result<std::string> arch = lab::archFor(*spec, info);
  if (!arch) return arch.error();
  const auto compiled = service.compile({*source, plan->tunables, *arch, false, {}});
  if (!compiled) return compiled.error();
  lab::Experiment experiment;
  experiment.source = *source;
  experiment.measure = false;
  experiment.check = true;
  Result<device::Job> job = lab::makeJob(experiment, *plan, **compiled);
  if (!job) return job.error();
  return Prepared{std::move(*spec), std::move(*plan), std::move(*job),
                  (*compiled)->compilerName + " " + (*compiled)->compilerVersion};
}

double Case::toleranceFor(bool samePtx) const {
  return samePtx ? tolerance : std::max(tolerance, otherTolerance);
}

std::string recordOf(const Case& each, const Outputs& outputs) {
  if (each.toleranceFor(false) > 0) return hexOf(outputs);
  uint64_t hash = kFnvStart;
  for (const auto& output : outputs) hash = fnv1a64(output, hash);
  return hex64(hash);
}

double largestDifference(const std::vector<device::Operand>& operands, const Outputs& outputs,
                         const Outputs& expected) {
  double largest = 0;
  for (size_t i = 0; i < operands.size() && i < outputs.size() && i < expected.size(); ++i) {
    const unsigned width = bytesOf(operands[i].type);
    for (size_t at = 0; at + width <= std::min(outputs[i].size(), expected[i].size());
         at += width) {
      largest = std::max(largest, apart(lab::elementAsDouble(operands[i].type, &outputs[i][at]),
                                        lab::elementAsDouble(operands[i].type, &expected[i][at])));
    }
  }
  return largest;
}

std::string difference(double tolerance, const std::vector<device::Operand>& operands,
                       const Outputs& outputs, const Outputs& expected) {
  if (outputs.size() != expected.size()) return "the outputs did not come back";
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].size() != expected[i].size()) return operands[i].name + " has another length";
    const ElementType type = operands[i].type;
    const unsigned width = bytesOf(type);
    for (size_t at = 0; at < outputs[i].size(); at += width) {
      const std::byte *mine = &outputs[i][at], *theirs = &expected[i][at];
      if (std::equal(mine, mine + width, theirs)) continue;
      const double a = lab::elementAsDouble(type, mine), b = lab::elementAsDouble(type, theirs);
      if (isFloat(type) && tolerance > 0 && apart(a, b) <= tolerance) continue;
      return operands[i].name + "[" + std::to_string(at / width) + "] is " + bitsOf(mine, width) +
             " and not " + bitsOf(theirs, width) + " (" + std::to_string(a) + " and not " +
             std::to_string(b) + ")";
    }
  }
  return {};
}

std::string difference(const Case& each, bool samePtx, const std::vector<device::Operand>& operands,
                       const Outputs& outputs, const std::string& record) {
  if (each.toleranceFor(false) == 0) {
    const std::string mine = recordOf(each, outputs);
    return mine == record ? "" : "the outputs' hash is " + mine + " and not " + record;
  }
  const Result<Outputs> expected = hexBytes(record, outputs);
  if (!expected) return toString(expected.error());
  return difference(each.toleranceFor(samePtx), operands, outputs, *expected);
}

std::string wrongBy(const Prepared& prepared, const device::Outcome& outcome) {
  Result<lab::Check> check = lab::checkOutputs(
      {prepared.spec.reference, prepared.plan.elementsPerBlock}, prepared.job.operands,
      outcome.outputs, prepared.job.seed, outcome.unwritten.value_or(0), {});
  if (!check) return toString(check.error());
  const Status formulas =
      lab::checkFormulas(prepared.plan, outcome.outputs, prepared.job.seed, *check);
  if (!formulas) return toString(formulas.error());
  if (check->ok) return {};
  if (check->unwritten > 0) return std::to_string(check->unwritten) + " elements are unwritten";
  return "the scaled error is " + std::to_string(check->scaledError) + ", the bound " +
         std::to_string(check->bound);
}

}  // namespace tilestep::corpus
