// SPDX-License-Identifier: Apache-2.0
#include "model/machine.h"

namespace tilestep::model {
namespace {

bool isOneOfSeveral(const Machine& machine) {
  return machine.machines > 1;
}

/// Whether the machine is known. It can be unknown only in a recording from several machines.
bool isKnown(const Machine& machine) {
  return !isOneOfSeveral(machine) || machine.number > 0;
}

/// "an NVIDIA H200", "a Tesla T4".
std::string withArticle(const std::string& name) {
  constexpr std::string_view kLikeVowels = "AEFHILMNORSX";  // Letters whose names begin with a
                                                            // vowel sound.
  const bool spelled = name.size() > 1 && name[1] >= 'A' && name[1] <= 'Z';
  const bool vowel =
      !name.empty() &&
      (spelled ? kLikeVowels : std::string_view("AEIO")).find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + name;
}

}  // namespace

Machine machineOf(const device::DeviceInfo& device) {
  return {device.id, device.name, device.identity, device.machines, device.machine};
}

SameMachine sameMachine(const Machine& a, const Machine& b) {
  if (a.name != b.name) return SameMachine::no;
  if (!a.identity.empty() && !b.identity.empty())
    return a.identity == b.identity ? SameMachine::yes : SameMachine::no;
  if (a.device != b.device || isOneOfSeveral(a) != isOneOfSeveral(b) || !isKnown(a) || !isKnown(b))
    return SameMachine::unknown;
  return a.number == b.number ? SameMachine::yes : SameMachine::no;
}

std::string whoseText(const Machine& machine, const Machine& shown) {
  const SameMachine same = sameMachine(machine, shown);
  if (same == SameMachine::yes) return {};
  const std::string which =
      isOneOfSeveral(machine) && isKnown(machine) ? "no. " + std::to_string(machine.number) : "";
  if (same == SameMachine::unknown)
    return withArticle(machine.name) + ", possibly a different one" +
           (which.empty() ? "" : " (" + which + ")");
  const std::string name =
      machine.name == shown.name ? "another " + machine.name : withArticle(machine.name);
  return name + (which.empty() ? "" : " (" + which + ")");
}

}  // namespace tilestep::model
