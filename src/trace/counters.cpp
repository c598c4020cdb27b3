// SPDX-License-Identifier: Apache-2.0
#include "trace/counters.h"

namespace tilestep::trace {
namespace {

void add(SharedCounts& sum, const SharedCounts& other) {
  sum.requests += other.requests;
  sum.wavefronts += other.wavefronts;
  sum.bankConflicts += other.bankConflicts;
}

void add(std::optional<uint64_t>& sum, const std::optional<uint64_t>& other) {
  if (other) sum = sum.value_or(0) + *other;
}

}  // namespace

GlobalCounts& GlobalCounts::operator+=(const GlobalCounts& other) {
  threads += other.threads;
  requests += other.requests;
  sectors += other.sectors;
  bytes += other.bytes;
  distinctBytes += other.distinctBytes;
  return *this;
}

Counters& Counters::operator+=(const Counters& other) {
  globalLoad += other.globalLoad;
  globalStore += other.globalStore;
  add(sharedLoad, other.sharedLoad);
  add(sharedStore, other.sharedStore);
  barriers += other.barriers;
  ffma += other.ffma;
  fadd += other.fadd;
  fmul += other.fmul;
  threadInstructions += other.threadInstructions;
  add(warpInstructions, other.warpInstructions);
  add(branches, other.branches);
  add(divergentBranches, other.divergentBranches);
  return *this;
}

}  // namespace tilestep::trace
