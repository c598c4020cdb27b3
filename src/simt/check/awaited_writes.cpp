// SPDX-License-Identifier: Apache-2.0
#include "simt/check/awaited_writes.h"

#include "base/hash.h"

namespace tilestep::simt {
namespace {

/// The maximum number of writes, which use about 20 MB.
constexpr size_t kMost = size_t{1} << 18;

}  // namespace

size_t AwaitedWrites::Hash::operator()(const Key& key) const {
  return splitmix64(key.place ^ splitmix64(key.block << 10 | key.thread));
}

void AwaitedWrites::note(const Key& key, uint64_t number, uint64_t time) {
  const auto at = writes_.find(key);
  if (at != writes_.end())
    at->second = {number, time};
  else if (writes_.size() < kMost)
    writes_.emplace(key, Write{number, time});
  else
    isFull_ = true;
}

bool AwaitedWrites::has(const Key& key, uint64_t number, uint64_t time) const {
  const auto at = writes_.find(key);
  if (at == writes_.end()) return isFull_;
  return at->second.number < number && time <= at->second.time;
}

void AwaitedWrites::clear() {
  if (!writes_.empty()) writes_.clear();
  isFull_ = false;
}

}  // namespace tilestep::simt
