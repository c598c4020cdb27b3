// SPDX-License-Identifier: Apache-2.0
// Caches the traced kernels, names them, and passes them to the stepper.
#include <algorithm>
#include <utility>

#include "model/choice/planning.h"
#include "model/session.h"
#include "model/text/step_summary.h"

namespace tilestep::model {
namespace {

constexpr size_t kCachedSides = 24;
/// Limit for the recordings of cached kernels, except the newest.
constexpr size_t kCachedBytes = size_t{48} << 20;

void keepWork(std::shared_ptr<const BlockWork>& work,
              const std::shared_ptr<const TracedKernel>& side) {
  if (!side)
    work.reset();
  else if (!work || work->side() != side)
    work = std::make_shared<const BlockWork>(side);
}

}  // namespace

std::shared_ptr<const TracedKernel> Session::cached(const std::string& key) const {
  if (model_.scene.main && model_.scene.mainKey == key) return model_.scene.main;
  if (model_.scene.companion && model_.scene.companionKey == key) return model_.scene.companion;
  for (const CachedKernel& one : cache_)
    if (one.key == key) return one.side;
  return nullptr;
}

void Session::keep(const std::string& key, std::shared_ptr<const TracedKernel> side) {
  cache_.push_back({key, std::move(side)});
  const auto bytesOf = [](const CachedKernel& one) {
    return one.side->replay->recording().bytes();
  };
  size_t bytes = 0;
  for (const CachedKernel& one : cache_) bytes += bytesOf(one);
  while (cache_.size() > 1 && (cache_.size() > kCachedSides || bytes > kCachedBytes)) {
    bytes -= bytesOf(cache_.front());
    cache_.erase(cache_.begin());
  }
}

std::shared_ptr<const TracedKernel> Session::named(const std::shared_ptr<const TracedKernel>& side,
                                                   const std::string& key,
                                                   const std::string& difference) {
  const std::string name = plainNameOf(*side) + (difference.empty() ? "" : " (" + difference + ")");
  if (side->shortName == name) return side;
  for (const std::string& as : {key, key + " as " + name})
    if (std::shared_ptr<const TracedKernel> known = cached(as); known && known->shortName == name)
      return known;
  auto named = withName(*side, name);
  keep(key + " as " + name, named);
  return named;
}

void Session::placeSides() {
  const bool same = model_.scene.main && model_.scene.companion &&
                    model_.scene.main->kernel == model_.scene.companion->kernel &&
                    model_.scene.main->removedLine == 0;
  const auto difference = [&](const TracedKernel& of, const TracedKernel& to) {
    return same ? differenceOf(of.spec, of.result->plan.tunables, to.result->plan.tunables)
                : std::string();
  };
  const std::string mine = same ? difference(*model_.scene.main, *model_.scene.companion) : "";
  const std::string other = same ? difference(*model_.scene.companion, *model_.scene.main) : "";
  if (model_.scene.main) model_.scene.main = named(model_.scene.main, model_.scene.mainKey, mine);
  if (model_.scene.companion)
    model_.scene.companion = named(model_.scene.companion, model_.scene.companionKey, other);
  keepWork(model_.scene.mainWork, model_.scene.main);
  keepWork(model_.scene.companionWork, model_.scene.companion);
  model_.stepper.setSides(model_.scene.main, model_.scene.companion);
}

}  // namespace tilestep::model
