// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::ui {

/// Whether input waits for later frames. Dear ImGui from 1.87 on spreads keys that came at once
/// over several frames; those that are left stay where they are until a frame is drawn.
[[nodiscard]] bool hasWaitingInput();

}  // namespace tilestep::ui
