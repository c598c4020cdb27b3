// SPDX-License-Identifier: Apache-2.0
#include "features/scene/panel_detail_loader.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tilestep::features {
namespace {

constexpr size_t kKeptDetails = 8;
/// The number of cells that may be read within a frame, in well under a millisecond.
constexpr uint64_t kAtOnce = uint64_t{1} << 16;
/// The `place` of requests for overviews.
constexpr unsigned kOverview = ~0U;

}  // namespace

std::shared_ptr<const gfx::Picture> DetailLoader::overview(const Matrix& matrix) {
  collect();
  const auto all = gfx::overviewOf(matrix.rows, matrix.columns, kOverviewSide);
  if (const Made* made = find(matrix, all)) return made->picture;
  ask({kOverview, matrix, all});
  return nullptr;
}

gfx::Detail DetailLoader::detail(unsigned place, const Matrix& matrix,
                                 const gfx::DetailRequest& seen) {
  collect();
  auto& [source, shown] = shown_[place];
  if (source != matrix.source) shown = {};
  source = matrix.source;
  const auto overview = gfx::overviewOf(matrix.rows, matrix.columns, kOverviewSide);
  if (seen.factor >= overview.factor) return shown = {};  // The overview has enough detail.
  const Made* made = find(matrix, seen);
  if (made == nullptr) {
    const Wish wish{place, matrix, gfx::withRoom(seen, matrix.rows, matrix.columns)};
    if (uint64_t{wish.request.area.rows} * wish.request.area.columns <= kAtOnce)
      keep({wish, gfx::averaged(*matrix.source, matrix.rows, matrix.columns, wish.request)});
    else
      ask(wish);
    made = find(matrix, seen);
  }
  if (made != nullptr) shown = {made->wish.request.area, made->picture};
  return shown;
}

bool DetailLoader::busy() const {
  return making_.has_value();
}

const DetailLoader::Made* DetailLoader::find(const Matrix& matrix,
                                             const gfx::DetailRequest& seen) const {
  for (auto made = made_.rbegin(); made != made_.rend(); ++made)
    if (made->wish.matrix.source == matrix.source && gfx::covers(made->wish.request, seen))
      return &*made;
  return nullptr;
}

void DetailLoader::ask(const Wish& wish) {
  if ((making_ && *making_ == wish) || std::ranges::find(wishes_, wish) != wishes_.end()) return;
  if (wish.place != kOverview)
    std::erase_if(wishes_, [&](const Wish& older) { return older.place == wish.place; });
  wishes_.push_back(wish);
  beginNext();
}

/// Keeps a result of the background thread and begins the next task.
void DetailLoader::collect() {
  using namespace std::chrono_literals;
  while (inProgress_.valid() && inProgress_.wait_for(0s) == std::future_status::ready) {
    keep(inProgress_.get());
    making_.reset();
    beginNext();
  }
}

void DetailLoader::keep(Made made) {
  made_.push_back(std::move(made));
  // Keeps overviews, which are always in use. Drops the oldest detail.
  const auto isDetail = [](const Made& one) { return one.wish.place != kOverview; };
  const auto details = static_cast<size_t>(std::ranges::count_if(made_, isDetail));
  if (details > kKeptDetails) made_.erase(std::ranges::find_if(made_, isDetail));
  // If only this cache refers to a matrix, its scene no longer exists.
  std::erase_if(made_, [](const Made& one) {
    return one.wish.place == kOverview && one.wish.matrix.source.use_count() == 1;
  });
}

void DetailLoader::beginNext() {
  if (making_ || wishes_.empty()) return;
  making_ = std::move(wishes_.front());
  wishes_.pop_front();
  inProgress_ = std::async(std::launch::async, [wish = *making_] {
    return Made{wish, gfx::averaged(*wish.matrix.source, wish.matrix.rows, wish.matrix.columns,
                                    wish.request)};
  });
}

}  // namespace tilestep::features
