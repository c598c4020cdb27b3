// SPDX-License-Identifier: Apache-2.0
#include "trace/counters.h"

namespace tilestep::trace {
namespace {

constexpr CounterField kFields[] = {
    {"global_load_threads", [](Counters& c) -> uint64_t& { return c.globalLoad.threads; }},
    {"global_load_requests", [](Counters& c) -> uint64_t& { return c.globalLoad.requests; }},
    {"global_load_sectors", [](Counters& c) -> uint64_t& { return c.globalLoad.sectors; }},
    {"global_load_bytes", [](Counters& c) -> uint64_t& { return c.globalLoad.bytes; }},
    {"global_load_distinct_bytes",
     [](Counters& c) -> uint64_t& { return c.globalLoad.distinctBytes; }},
    {"global_store_threads", [](Counters& c) -> uint64_t& { return c.globalStore.threads; }},
    {"global_store_requests", [](Counters& c) -> uint64_t& { return c.globalStore.requests; }},
    {"global_store_sectors", [](Counters& c) -> uint64_t& { return c.globalStore.sectors; }},
    {"global_store_bytes", [](Counters& c) -> uint64_t& { return c.globalStore.bytes; }},
    {"global_store_distinct_bytes",
     [](Counters& c) -> uint64_t& { return c.globalStore.distinctBytes; }},
    {"shared_load_requests", [](Counters& c) -> uint64_t& { return c.sharedLoad.requests; }},
    {"shared_load_wavefronts", [](Counters& c) -> uint64_t& { return c.sharedLoad.wavefronts; }},
    {"shared_load_bank_conflicts",
     [](Counters& c) -> uint64_t& { return c.sharedLoad.bankConflicts; }},
    {"shared_store_requests", [](Counters& c) -> uint64_t& { return c.sharedStore.requests; }},
    {"shared_store_wavefronts", [](Counters& c) -> uint64_t& { return c.sharedStore.wavefronts; }},
    {"shared_store_bank_conflicts",
     [](Counters& c) -> uint64_t& { return c.sharedStore.bankConflicts; }},
    {"barriers", [](Counters& c) -> uint64_t& { return c.barriers; }},
    {"ffma", [](Counters& c) -> uint64_t& { return c.ffma; }},
    {"fadd", [](Counters& c) -> uint64_t& { return c.fadd; }},
    {"fmul", [](Counters& c) -> uint64_t& { return c.fmul; }},
    {"warp_instructions", nullptr, &Counters::warpInstructions},
    {"thread_instructions", [](Counters& c) -> uint64_t& { return c.threadInstructions; }},
    {"branches", nullptr, &Counters::branches},
    {"divergent_branches", nullptr, &Counters::divergentBranches},
};

}  // namespace

std::optional<uint64_t> CounterField::of(const Counters& counters) const {
  // The cast is safe, because nothing is written.
  return plain != nullptr ? plain(const_cast<Counters&>(counters)) : counters.*optional;
}

void CounterField::set(Counters& counters, std::optional<uint64_t> value) const {
  if (plain != nullptr)
    plain(counters) = value.value_or(0);
  else
    counters.*optional = value;
}

std::span<const CounterField> counterFields() {
  return kFields;
}

std::vector<NamedCount> namedCounts(const Counters& counters) {
  std::vector<NamedCount> counts;
  for (const CounterField& field : kFields)
    if (const std::optional<uint64_t> value = field.of(counters))
      counts.push_back({field.name, *value});
  return counts;
}

GlobalCounts& GlobalCounts::operator+=(const GlobalCounts& other) {
  threads += other.threads;
  requests += other.requests;
  sectors += other.sectors;
  bytes += other.bytes;
  distinctBytes += other.distinctBytes;
  return *this;
}

Counters& Counters::operator+=(const Counters& other) {
  for (const CounterField& field : kFields)
    if (const std::optional<uint64_t> value = field.of(other))
      field.set(*this, field.of(*this).value_or(0) + *value);
  return *this;
}

}  // namespace tilestep::trace
