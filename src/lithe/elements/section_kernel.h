// Internal force and tangent of the continuum elements by shared sections: docs/theory/section_kernel.md.
//
// Symbols: e coordinate vectors (scaled, relative slopes), g generalised gradients of a level, G = dr/d(xi,eta,zeta),
// B = J0^-1 R0, F = G B, w volume of the point, S stress, P = F S, p = dW/dg section forces, A = dp/dg section
// tangents.
//   down:  g_lower = sum_feeds c g_upper             up:  p_upper = sum_feeds c p_lower
//   lift:  A_upper[k][l] = sum_feeds c_k c_l A_lower      top:  K_ij = sum_sections sum_kl w_ik A_kl w_jl
// Everything is a template over the scalar T: a SIMD pack (one element per lane), double (a GPU thread), Dual (tests).
#pragma once

#include "lithe/elements/batch_kernel.h"  // layouts of e, v, f, K
#include "lithe/elements/section_force.h"
#include "lithe/elements/section_tangent.h"
