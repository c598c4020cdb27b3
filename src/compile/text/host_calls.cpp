// SPDX-License-Identifier: Apache-2.0
#include "compile/text/host_calls.h"

#include <algorithm>

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

constexpr size_t kLongestArgument = 256;  ///< Tokens of what memory is allocated for.

template <class Value>
std::optional<Value> valueOf(const std::map<std::string_view, Value>& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? std::optional<Value>() : found->second;
}

}  // namespace

HostCalls::HostCalls(const CudaTokens& tokens) {
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::word) continue;
    seekLaunch(tokens, at);
    seekAllocation(tokens, at);
    seekZeroed(tokens, at);
    seekShape(tokens, at);
  }
}

std::optional<HostCalls::Launch> HostCalls::launch(std::string_view kernel) const {
  return valueOf(launches_, kernel);
}

std::optional<size_t> HostCalls::allocation(std::string_view name) const {
  return valueOf(allocations_, name);
}

std::optional<size_t> HostCalls::shape(std::string_view name) const {
  return valueOf(shapes_, name);
}

/// name<<<…>>> and name<arguments><<<…>>>.
void HostCalls::seekLaunch(const CudaTokens& tokens, size_t at) {
  size_t open = at + 1;
  if (tokens[open].is("<")) {
    const size_t end = std::min(tokens.size(), open + kLongestAngle);
    while (open < end && !tokens[open].is(">") && !tokens[open].is(";")) ++open;
    ++open;
  }
  if (open < tokens.size() && tokens[open].is("<<<"))
    launches_.try_emplace(tokens[at].text, Launch{at, open});
}

void HostCalls::seekAllocation(const CudaTokens& tokens, size_t at) {
  if (!tokens[at].is("cudaMalloc") && !tokens[at].is("cudaMallocManaged")) return;
  if (!tokens[at + 1].is("(")) return;
  int depth = 0;
  const size_t end = std::min(tokens.size(), at + kLongestArgument);
  for (size_t i = at + 1; i < end; ++i) {
    if (isOpen(tokens[i])) ++depth;
    if (isClose(tokens[i]) && --depth == 0) return;
    if (depth != 1 || !tokens[i].is(",")) continue;
    allocations_.try_emplace(tokens[i - 1].text, at + 1);
    return;
  }
}

void HostCalls::seekZeroed(const CudaTokens& tokens, size_t at) {
  if (!tokens[at].is("cudaMemset") && !tokens[at].is("cudaMemsetAsync")) return;
  if (at + 5 < tokens.size() && tokens[at + 3].is(",") && tokens[at + 4].is("0"))
    zeroed_.insert(tokens[at + 2].text);
}

void HostCalls::seekShape(const CudaTokens& tokens, size_t at) {
  if (at == 0 || !(tokens[at - 1].is("dim3") || isOpen(tokens[at + 1]))) return;
  size_t first = at + 1;
  if (tokens[first].is("=")) ++first;
  if (first < tokens.size() && tokens[first].is("dim3")) ++first;
  if (first < tokens.size() && isOpen(tokens[first])) shapes_.try_emplace(tokens[at].text, first);
}

}  // namespace tilestep::compile
