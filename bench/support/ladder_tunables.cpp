// SPDX-License-Identifier: Apache-2.0
#include "support/ladder_tunables.h"

#include <cstdio>
#include <cstdlib>

#include "base/files.h"
#include "lab/recording/recording.h"
#include "lab/tune/tuned.h"

namespace tilestep::bench {

Tuned bestKnown(const Rung& rung, const ProductSize& size, const device::DeviceInfo& info,
                const std::filesystem::path& home) {
  const lab::DeviceTuned known = lab::tunedHere(home, info.name);
  const auto best =
      lab::bestTuned(rung.spec, lab::programHashOf(rung.source, rung.spec), size.bindings(), known);
  if (!known.damage.empty()) std::fprintf(stderr, "%s\n", known.damage.c_str());
  if (!best) return {{}, "default"};
  const lab::Tuned& tuned = *best;
  if (!compile::plan(rung.spec, size.bindings(), tuned.tunables, info.limits))
    return {{}, "default"};
  if (tuned.sizes == size.bindings()) return {tuned.tunables, kBestHere};
  const ProductSize at{tuned.sizes.at("m"), tuned.sizes.at("n"), tuned.sizes.at("k")};
  return {tuned.tunables, kBestElsewhere + toText(at)};
}

void search(const Rung& rung, const ProductSize& size, const device::DeviceInfo& info,
            double seconds) {
  const std::filesystem::path program = programPath().parent_path() / "tilestep";
  if (!std::filesystem::exists(program)) {
    std::fprintf(stderr, "--tune needs %s; build it with ./dev build\n", program.c_str());
    return;
  }
  const std::string command = "'" + program.string() + "' sweep " + rung.spec.name +
                              " --best --device " + info.id + " --budget " +
                              std::to_string(seconds) + " --m " + std::to_string(size.m) + " --n " +
                              std::to_string(size.n) + " --k " + std::to_string(size.k) + " >&2";
  if (std::system(command.c_str()) != 0)
    std::fprintf(stderr, "the search for %s found nothing to go by\n", rung.spec.name.c_str());
}

}  // namespace tilestep::bench
