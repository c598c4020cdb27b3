// SPDX-License-Identifier: Apache-2.0
// Empty: program.h, which is included first, declares threadIdx and similar names.
#pragma once
