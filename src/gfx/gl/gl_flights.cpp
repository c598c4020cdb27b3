// SPDX-License-Identifier: Apache-2.0
#include "gfx/gl/gl_flights.h"

namespace tilestep::gfx {

GlFlights::Buffers& GlFlights::buffersOf(size_t flight) {
  while (buffers_.size() <= flight) buffers_.push_back(std::make_unique<Buffers>());
  return *buffers_[flight];
}

void GlFlights::drawPaths(const Layers& layers, size_t flight, float progress,
                          const Target& target) {
  setCamera(line_, target);
  glUniform1f(line_.uniform("uShare"), eased(progress));
  buffersOf(flight).paths.draw(layers.flights[flight].paths);
}

void GlFlights::drawMovers(const Layers& layers, size_t flight, float progress,
                           const Target& target) {
  setCamera(mover_, target);
  glUniform1f(mover_.uniform("uShare"), eased(progress));
  buffersOf(flight).movers.draw(layers.flights[flight].movers);
}

}  // namespace tilestep::gfx
