// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/known_devices/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::known_devices {
namespace {

using nlohmann::json;

json stateOf(const model::Snapshot& now) {
  const auto* view = now.views.get<KnownDeviceView>();
  if (view == nullptr) return nullptr;
  const lab::WhatIf* there = &view->whatIf;
  json bounds = json::array();
  for (const lab::Bound& bound : there->bounds)
    bounds.push_back({{"minimum", bound.minimum},
                      {"flop_per_byte", bound.flopPerByte},
                      {"flop_per_second", bound.flopPerSecond}});
  return {{"device", there->id},
          {"name", there->name},
          {"refusal", there->refusal()},
          {"bounds", std::move(bounds)}};
}

class KnownDevicesPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"D, Shift+D", "what if it ran on the next or previous known device", KeyGroup::choice,
             false, U"dD", [](char32_t letter, model::Session& session, UiState&) {
               session.apply(model::command("known_devices.next", letter == U'd' ? 1 : -1));
             }}};
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["elsewhere"] = stateOf(now);
    to["roof_device"] = now.choice.roofDevice;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<KnownDevicesPanel>();
}

}  // namespace tilestep::features::known_devices
