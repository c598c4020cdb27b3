// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "gfx/renderer.h"

namespace tilestep::gfx {

void NullRenderer::draw(unsigned slot, std::shared_ptr<const Layers> layers, const Camera& camera,
                        const View& view, float progress) {
  calls_.push_back({slot, std::move(layers), camera, view, progress});
}

}  // namespace tilestep::gfx
