// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/launch_choice.h"

#include <algorithm>
#include <vector>

#include "base/launch.h"
#include "base/nearest_name.h"

namespace tilestep::compile {
namespace {

void bind(TomlReader& reader, const toml::table& table, const std::string& name,
          const KernelSpec& kernel, LaunchChoice& launch) {
  const int64_t value = reader.integer(table, name.c_str(), 1);
  std::vector<std::string> names;
  for (const auto& [size, usual] : kernel.sizes) names.push_back(size);
  for (const TunableSpec& tunable : kernel.tunables) names.push_back(tunable.name);
  if (kernel.sizes.contains(name))
    launch.sizes[name] = value;
  else if (std::ranges::find(names, name) != names.end())
    launch.tunables[name] = value;
  else
    reader.fail(*table.get(name),
                "this kernel has no size or tunable " + name + "; it has " + listed(names));
}

}  // namespace

LaunchChoice readLaunchChoice(TomlReader& reader, const toml::node& node, const std::string& what,
                              const KernelSpec& kernel) {
  LaunchChoice launch;
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    reader.fail(node, what + " must be a table of sizes and tunables: { n = 100 }");
    return launch;
  }
  for (const std::string& name : TomlReader::keysInOrder(*table))
    bind(reader, *table, name, kernel, launch);
  if (reader.error()) return launch;
  const Result<Plan> legal = plan(kernel, launch.sizes, launch.tunables, Limits{});
  if (!legal) reader.fail(node, what + " is not legal: " + legal.error().message);
  return launch;
}

}  // namespace tilestep::compile
