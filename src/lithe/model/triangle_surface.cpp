#include "lithe/model/triangle_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/model/mesh_file_text.h"

namespace lithe {

namespace {

// An edge as one triangle has it.
struct HalfEdge {
  int low, high;  // corners
  int triangle;
  bool upward;  // it runs from the lower corner to the higher one
};

std::vector<HalfEdge> half_edges(const TriangleSurface& surface) {
  std::vector<HalfEdge> edges;
  edges.reserve(3 * surface.triangles.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), a < b});
    }
  std::ranges::stable_sort(
      edges, [](const HalfEdge& a, const HalfEdge& b) { return std::pair(a.low, a.high) < std::pair(b.low, b.high); });
  return edges;
}

std::string at(const Triple& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]); }

// What is wrong with some of the edges: how many, and the first triangle that has one.
struct Fault {
  std::size_t count = 0;
  HalfEdge first{};
  int other = -1;  // triangle at the first one

  void add(const HalfEdge& edge, int beside) {
    if (count++ == 0 || edge.triangle < first.triangle) first = edge, other = beside;
  }
};

[[noreturn]] void fail(const TriangleSurface& surface, const Fault& fault, const std::string& what,
                       const std::string& remedy) {
  const std::string edge =
      "from " + at(surface.corners[fault.first.low]) + " to " + at(surface.corners[fault.first.high]);
  throw InputError(
      surface.where(fault.first.triangle),
      fmt::format("the surface {}, {} {} of {}{}; {}", what, fault.count == 1 ? "the edge" : "the first one", edge,
                  surface.place(fault.first.triangle), fault.other >= 0 ? " and " + surface.place(fault.other) : "",
                  remedy));
}

// Which triangles hang together, by edges: the lowest triangle of each piece stands for it.
std::vector<int> pieces_of(const TriangleSurface& surface, const std::vector<HalfEdge>& edges) {
  std::vector<int> parent(surface.triangles.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
  };
  for (std::size_t e = 1; e < edges.size(); ++e)
    if (edges[e].low == edges[e - 1].low && edges[e].high == edges[e - 1].high) {
      const int a = root(edges[e].triangle), b = root(edges[e - 1].triangle);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (std::size_t t = 0; t < parent.size(); ++t) parent[t] = root(static_cast<int>(t));
  return parent;
}

struct Piece {
  std::vector<int> triangles;
  Triple low, high;
  double volume = 0;
};

std::vector<Piece> make_pieces(const TriangleSurface& surface, const std::vector<HalfEdge>& edges) {
  const std::vector<int> of = pieces_of(surface, edges);
  std::vector<int> number(of.size(), -1);
  std::vector<Piece> pieces;
  for (std::size_t t = 0; t < of.size(); ++t) {
    if (number[of[t]] < 0) {
      number[of[t]] = static_cast<int>(pieces.size());
      const Triple& x = surface.corners[surface.triangles[t][0]];
      pieces.push_back({{}, x, x});
    }
    Piece& piece = pieces[number[of[t]]];
    piece.triangles.push_back(static_cast<int>(t));
    for (const int corner : surface.triangles[t])
      for (int m = 0; m < 3; ++m) {
        piece.low[m] = std::min(piece.low[m], surface.corners[corner][m]);
        piece.high[m] = std::max(piece.high[m], surface.corners[corner][m]);
      }
  }
  for (Piece& piece : pieces) {
    const Vec3<double> origin = vec(surface.corners[surface.triangles[piece.triangles[0]][0]]);
    for (const int t : piece.triangles) {
      Vec3<double> y[3];
      for (int k = 0; k < 3; ++k) y[k] = vec(surface.corners[surface.triangles[t][k]]) - origin;
      piece.volume += dot(y[0], cross(y[1], y[2])) / 6;
    }
  }
  return pieces;
}

// How often a piece is around a point: the sum of solid angles over 4 pi (A. van Oosterom, J. Strackee 1983).
double winding(const TriangleSurface& surface, const Piece& piece, const Triple& point) {
  double sum = 0;
  for (const int t : piece.triangles) {
    Vec3<double> y[3];
    double length[3];
    for (int k = 0; k < 3; ++k) {
      y[k] = vec(surface.corners[surface.triangles[t][k]]) - vec(point);
      length[k] = norm(y[k]);
    }
    const double above = dot(y[0], cross(y[1], y[2]));
    const double below = length[0] * length[1] * length[2] + dot(y[0], y[1]) * length[2] + dot(y[1], y[2]) * length[0] +
                         dot(y[2], y[0]) * length[1];
    sum += 2 * std::atan2(above, below);
  }
  return sum / (4 * M_PI);
}

// A piece that encloses a volume lies in the open, one that is turned inwards within another.
void check_sides(const TriangleSurface& surface, const std::vector<HalfEdge>& edges) {
  const std::vector<Piece> pieces = make_pieces(surface, edges);
  for (const Piece& piece : pieces) {
    const int first = piece.triangles[0];
    const Triple& x = surface.corners[surface.triangles[first][0]];
    double around = 0;
    for (const Piece& other : pieces) {
      bool inside = &other != &piece;
      for (int m = 0; m < 3; ++m) inside = inside && other.low[m] <= x[m] && x[m] <= other.high[m];
      if (inside) around += winding(surface, other, x);
    }
    const bool within = around > 0.75;  // half: on its side
    const std::string which = pieces.size() == 1
                                  ? "the surface"
                                  : fmt::format("of {} closed pieces the one of {} with {}", pieces.size(),
                                                counted(piece.triangles.size(), "triangle"), surface.place(first));
    if (piece.volume < 0 && !within)
      throw InputError(
          surface.where(first),
          fmt::format("{} has its inside out (a volume of {:.4g}): the triangles' corners run clockwise seen "
                      "from outside; reverse the normals where it was made",
                      which, piece.volume));
    if (piece.volume > 0 && within)
      throw InputError(surface.where(first),
                       fmt::format("{} lies within another piece, so that its volume would count twice; remove it, or "
                                   "reverse its normals if it is a hollow",
                                   which));
    if (piece.volume == 0) throw InputError(surface.where(first), which + " encloses no volume; give it a thickness");
  }
}

}  // namespace

std::string TriangleSurface::place(int triangle) const {
  return binary ? fmt::format("triangle {}", lines[triangle]) : fmt::format("the triangle in line {}", lines[triangle]);
}

void check_closed(const TriangleSurface& surface, bool open) {
  const std::vector<HalfEdge> edges = half_edges(surface);
  Fault alone, many, turned;
  for (std::size_t first = 0, last; first < edges.size(); first = last) {
    last = first + 1;
    while (last < edges.size() && edges[last].low == edges[first].low && edges[last].high == edges[first].high) ++last;
    if (last - first == 1) alone.add(edges[first], -1);
    else if (last - first > 2) many.add(edges[first], edges[first + 1].triangle);
    else if (edges[first].upward == edges[first + 1].upward) turned.add(edges[first], edges[first + 1].triangle);
  }
  if (many.count > 0)
    fail(surface, many,
         fmt::format("branches: {} to more than two triangles",
                     many.count == 1 ? "an edge belongs" : fmt::format("{} edges belong", many.count)),
         "make bodies that touch along an edge two files, and remove inner walls and double faces");
  if (turned.count > 0)
    fail(surface, turned,
         fmt::format("is turned inside out in parts: along {} both triangles run in one direction",
                     counted(turned.count, "edge")),
         "make normals consistent where it was made");
  if (open) return;
  if (alone.count > 0)
    fail(surface, alone,
         fmt::format("is open: {} to one triangle only",
                     alone.count == 1 ? "an edge belongs" : fmt::format("{} edges belong", alone.count)),
         "close its holes and merge corners that should be one (they are one only where their coordinates are the "
         "same); "
         "a surface with a rim is for obstacles and contact_shape, with 'open: true'");
  check_sides(surface, edges);
}

SolidMoments moments(const TriangleSurface& surface) {
  Vec3<double> low{{1e300, 1e300, 1e300}}, high{{-1e300, -1e300, -1e300}};
  for (const Triple& x : surface.corners)
    for (int m = 0; m < 3; ++m) {
      low[m] = std::min(low[m], x[m]);
      high[m] = std::max(high[m], x[m]);
    }
  const Vec3<double> c = 0.5 * (low + high);
  SolidMoments sum;
  Vec3<double> first{};
  Mat3<double> second{};
  for (const std::array<int, 3>& triangle : surface.triangles) {
    Vec3<double> y[3];
    for (int k = 0; k < 3; ++k) y[k] = vec(surface.corners[triangle[k]]) - c;
    const Vec3<double> s = y[0] + y[1] + y[2];
    const double v = dot(y[0], cross(y[1], y[2])) / 6;
    sum.volume += v;
    first = first + (v / 4) * s;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        second[i][j] += v / 20 * (s[i] * s[j] + y[0][i] * y[0][j] + y[1][i] * y[1][j] + y[2][i] * y[2][j]);
  }
  const Vec3<double> d = (1 / sum.volume) * first;  // of the centre from c
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) second[i][j] -= sum.volume * d[i] * d[j];
  const double trace = second[0][0] + second[1][1] + second[2][2];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum.inertia[i][j] = (i == j ? trace : 0) - second[i][j];
  sum.centre = c + d;
  return sum;
}

}  // namespace lithe
