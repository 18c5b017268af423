// Contact problems of rigid bodies: W = H M^-1 H^T and B = H v from masses, places and points that touch. Piles,
// stacks, boxes on planes and wedges, with as many points as wanted; body -1 is the ground.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "lithe/base/small.h"
#include "lithe/contact/contact_problem.h"

namespace lithe::fixtures {

using Six = std::array<double, 6>;  // velocity and angular velocity, or impulse and its moment

struct RigidBody {
  double mass = 1, inertia = 0.1;  // kg, kg m2 about every axis
  Vec3<double> place{};            // m
  Six velocity{};                  // before contact, loads included
};

struct TouchingPoint {
  int a = 0, b = -1;
  Vec3<double> place{}, normal{{0, 0, 1}};  // normal from b to a
  double friction = 0.5;
  double gap_speed = 0;  // m/s added to B_N: gap / h
};

struct ContactCase {
  std::vector<RigidBody> body;
  std::vector<TouchingPoint> point;

  // Rows of H of one point with respect to a body of it.
  std::array<Six, 3> rows(int k, int which) const {
    const TouchingPoint& p = point[k];
    const Vec3<double> axis = std::abs(p.normal[0]) < 0.7 ? Vec3<double>{{1, 0, 0}} : Vec3<double>{{0, 1, 0}};
    const Vec3<double> t = unit(cross(p.normal, axis)), frame[3] = {p.normal, t, cross(p.normal, t)};
    const double sign = which == p.a ? 1 : -1;
    std::array<Six, 3> H;
    for (int i = 0; i < 3; ++i) {
      const Vec3<double> moment = cross(p.place - body[which].place, frame[i]);
      for (int j = 0; j < 3; ++j) {
        H[i][j] = sign * frame[i][j];
        H[i][3 + j] = sign * moment[j];
      }
    }
    return H;
  }

  ContactProblem problem() const {
    const int n = static_cast<int>(point.size());
    std::vector<std::vector<int>> touches(body.size());
    ContactProblem made;
    std::vector<std::map<int, std::array<double, 9>>> W(n);
    for (int k = 0; k < n; ++k)
      for (const int which : {point[k].a, point[k].b})
        if (which >= 0) touches[which].push_back(k);
    made.B.assign(3 * n, 0);
    for (int k = 0; k < n; ++k) {
      W[k][k];
      made.B[3 * k] = point[k].gap_speed;
      made.friction.push_back(point[k].friction);
      for (const int which : {point[k].a, point[k].b}) {
        if (which < 0) continue;
        const auto H = rows(k, which);
        const RigidBody& own = body[which];
        for (int i = 0; i < 3; ++i)
          for (int c = 0; c < 6; ++c) made.B[3 * k + i] += H[i][c] * own.velocity[c];
        for (const int j : touches[which]) {
          const auto G = rows(j, which);
          auto& block = W[k][j];
          for (int i = 0; i < 3; ++i)
            for (int m = 0; m < 3; ++m)
              for (int c = 0; c < 6; ++c) block[3 * i + m] += H[i][c] * G[m][c] / (c < 3 ? own.mass : own.inertia);
        }
      }
    }
    for (int k = 0; k < n; ++k) {
      for (const auto& [j, block] : W[k]) {
        made.column.push_back(j);
        made.W.insert(made.W.end(), block.begin(), block.end());
      }
      made.row_start.push_back(static_cast<std::int32_t>(made.column.size()));
    }
    return made;
  }

  // H^T R: what bodies feel, however it is shared among redundant points.
  std::vector<Six> impulses(const std::vector<double>& R) const {
    std::vector<Six> sum(body.size(), Six{});
    for (int k = 0; k < static_cast<int>(point.size()); ++k)
      for (const int which : {point[k].a, point[k].b}) {
        if (which < 0) continue;
        const auto H = rows(k, which);
        for (int c = 0; c < 6; ++c)
          for (int i = 0; i < 3; ++i) sum[which][c] += H[i][c] * R[3 * k + i];
      }
    return sum;
  }
};

inline RigidBody ball(double mass, double radius, const Vec3<double>& place, const Six& velocity) {
  return {mass, 0.4 * mass * radius * radius, place, velocity};
}

// per_side x per_side points on the lower face, at height z, of a box of width 1 over (x, y).
inline void add_face(ContactCase& scene, int upper, int lower, double x, double y, double z, int per_side,
                     double friction) {
  for (int i = 0; i < per_side; ++i)
    for (int j = 0; j < per_side; ++j) {
      const double step = 1.0 / (per_side - 1);
      scene.point.push_back({upper, lower, {{x - 0.5 + step * i, y - 0.5 + step * j, z}}, {{0, 0, 1}}, friction, 0});
    }
}

// A box on a plane, pushed along x.
inline ContactCase box_on_plane(int per_side, double friction, double push) {
  ContactCase scene;
  scene.body.push_back({2, 1.0 / 3, {{0, 0, 0.5}}, {push, 0, -0.01, 0, 0, 0}});
  add_face(scene, 0, -1, 0, 0, 0, per_side, friction);
  return scene;
}

// Boxes on each other; the masses grow from 1 at the bottom to `ratio` at the top. Pushed a little at random.
inline ContactCase stack(int boxes, double ratio, int per_side, double friction, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  ContactCase scene;
  for (int i = 0; i < boxes; ++i) {
    const double mass = boxes > 1 ? std::pow(ratio, i / (boxes - 1.0)) : ratio;
    const double push = 1e-3;
    scene.body.push_back(
        {mass,
         mass / 6,
         {{0, 0, 0.5 + i}},
         {push * uniform(engine), push * uniform(engine), -0.01, push * uniform(engine), push * uniform(engine), 0}});
    add_face(scene, i, i - 1, 0, 0, i, per_side, friction);
  }
  return scene;
}

// Balls (or, with several points a contact, stones) of a disturbed lattice in a box without lid, moving at random with
// `shake` beside their weight of 0.01 m/s. Masses are spread evenly in their logarithm up to `ratio`.
inline ContactCase pile(int nx, int ny, int nz, int points, double ratio, unsigned seed, double shake = 0.02) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  ContactCase scene;
  const auto index = [&](int i, int j, int k) { return (k * ny + j) * nx + i; };
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const Vec3<double> place{{i + 0.15 * uniform(engine), j + 0.15 * uniform(engine), k + 0.15 * uniform(engine)}};
        Six velocity{};
        for (double& v : velocity) v = shake * uniform(engine);
        velocity[2] -= 0.01;
        scene.body.push_back(ball(std::pow(ratio, 0.5 + 0.5 * uniform(engine)), 0.5, place, velocity));
      }
  const auto touch = [&](int a, int b, const Vec3<double>& place, const Vec3<double>& normal) {
    const Vec3<double> side = unit(cross(normal, Vec3<double>{{0.3, 0.5, 0.81}})), other = cross(normal, side);
    const double mu = 0.4 + 0.3 * uniform(engine), open = uniform(engine) > 0.6 ? 0.02 : 0.0;
    for (int p = 0; p < points; ++p) {
      const double angle = 6.283185307179586 * p / points, reach = points > 1 ? 0.2 : 0;
      scene.point.push_back(
          {a, b, place + reach * std::cos(angle) * side + reach * std::sin(angle) * other, normal, mu, open});
    }
  };
  const auto between = [&](int a, int b) {
    const Vec3<double>&x = scene.body[a].place, &y = scene.body[b].place;
    touch(a, b, 0.5 * (x + y), unit(x - y));
  };
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const int own = index(i, j, k);
        const Vec3<double> x = scene.body[own].place;
        if (i > 0) between(own, index(i - 1, j, k));
        if (j > 0) between(own, index(i, j - 1, k));
        if (k > 0) between(own, index(i, j, k - 1));
        if (k > 0 && i > 0) between(own, index(i - 1, j, k - 1));
        if (k == 0) touch(own, -1, x - 0.5 * Vec3<double>{{0, 0, 1}}, {{0, 0, 1}});
        if (i == 0) touch(own, -1, x - 0.5 * Vec3<double>{{1, 0, 0}}, {{1, 0, 0}});
        if (i == nx - 1) touch(own, -1, x + 0.5 * Vec3<double>{{1, 0, 0}}, {{-1, 0, 0}});
        if (j == 0) touch(own, -1, x - 0.5 * Vec3<double>{{0, 1, 0}}, {{0, 1, 0}});
        if (j == ny - 1) touch(own, -1, x + 0.5 * Vec3<double>{{0, 1, 0}}, {{0, -1, 0}});
      }
  return scene;
}

// A block pressed down between two planes that lean `angle` from the upright to either side, `points` on each.
inline ContactCase wedge(double angle, double friction, int points, double push) {
  ContactCase scene;
  scene.body.push_back({1, 0.2, {{0, 0, 0}}, {0.1 * push, 0.02 * push, -push, 0, 0.01 * push, 0}});
  for (const double side : {-1.0, 1.0})
    for (int p = 0; p < points; ++p) {
      const double height = points > 1 ? -0.3 + 0.6 * p / (points - 1) : 0, out = 0.5 + height * std::tan(angle);
      scene.point.push_back({0,
                             -1,
                             {{side * out, p % 2 ? 0.2 : -0.2, height}},
                             {{-side * std::cos(angle), 0, std::sin(angle)}},
                             friction,
                             0});
    }
  return scene;
}

}  // namespace lithe::fixtures
