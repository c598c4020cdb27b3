// SPDX-License-Identifier: Apache-2.0
// threadIdx and its like are there before the first line: program.h.
#pragma once
