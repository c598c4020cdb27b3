// SPDX-License-Identifier: Apache-2.0
// What programs need of it is there before the first line: program.h.
#pragma once
