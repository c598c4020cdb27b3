// SPDX-License-Identifier: Apache-2.0
#include "program/findings.h"

#include <utility>

#include "program/places.h"

namespace tilestep::program {
namespace {

void addPlaces(const std::map<uint64_t, Place>& places, const std::vector<uint64_t>& sites,
               auto& records) {
  for (size_t i = 0; i < records.size() && i < sites.size(); ++i) {
    const auto found = places.find(sites[i]);
    if (found != places.end()) records[i].place = found->second;
  }
}

}  // namespace

void takeServed(Served served, const std::filesystem::path& program, ProgramRun& run) {
  std::vector<uint64_t> all = served.callSites;
  all.insert(all.end(), served.launchSites.begin(), served.launchSites.end());
  all.insert(all.end(), served.findingSites.begin(), served.findingSites.end());
  const std::map<uint64_t, Place> places = placesOf(program, all);
  addPlaces(places, served.callSites, served.calls);
  addPlaces(places, served.launchSites, served.launches);
  addPlaces(places, served.findingSites, served.findings);
  run.calls = std::move(served.calls);
  run.launches = std::move(served.launches);
  run.findings = std::move(served.findings);
}

}  // namespace tilestep::program
