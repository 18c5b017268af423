// A body whose coordinates are q = c + R (x + Phi eta): rates R Phi w, forces (R Phi)^T f, R in a slot of the State. A
// small stepper moves it as a rigid top and as a bar that swings in one mode, wherever it is and however it is turned.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "lithe/system/mass.h"
#include "support/models.h"

namespace lithe {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d three(const double* x) { return {x[0], x[1], x[2]}; }

class TurningBody : public BodyMap {
 public:
  // Phi: translations, rotations about the centre, then `modes` columns; over the vectors of the reference x.
  TurningBody(std::vector<double> reference, std::vector<char> is_position, const Matrix& modes)
      : x_(std::move(reference)), is_position_(std::move(is_position)) {
    const int n = static_cast<int>(is_position_.size());
    int positions = 0;
    for (int v = 0; v < n; ++v)
      if (is_position_[v]) {
        centre_ += three(&x_[3ul * v]);
        ++positions;
      }
    centre_ /= positions;
    Phi_ = Matrix::Zero(3 * n, 6 + modes.cols());
    for (int v = 0; v < n; ++v)
      for (int k = 0; k < 3; ++k) {
        if (is_position_[v]) Phi_(3 * v + k, k) = 1;
        Phi_.block<3, 1>(3 * v, 3 + k) = Vector3d::Unit(k).cross(arm(v));
      }
    Phi_.rightCols(modes.cols()) = modes;
  }
  Vector3d arm(int v) const { return three(&x_[3ul * v]) - (is_position_[v] ? centre_ : Vector3d::Zero()); }
  int vectors() const { return static_cast<int>(is_position_.size()); }

  int size() const override { return static_cast<int>(Phi_.cols()); }
  void add_slots(const double* q, Slots& slots) override {
    slot_ = slots.add("body 'turning': rotation", std::vector<double>(9));
    std::vector<double> copy(q, q + x_.size());
    update(copy.data(), slots);
  }
  void prolong(const Slots& slots, const double* w, double factor, double* rates) const override {
    const Vector v = factor * (Phi_ * Eigen::Map<const Vector>(w, size()));
    for (int k = 0; k < vectors(); ++k) Eigen::Map<Vector3d>(rates + 3l * k) += rotation(slots) * v.segment<3>(3l * k);
  }
  void restrict(const Slots& slots, const double* forces, double* reduced) const override {
    Vector f(3l * vectors());
    for (int k = 0; k < vectors(); ++k) f.segment<3>(3l * k) = rotation(slots).transpose() * three(forces + 3l * k);
    Eigen::Map<Vector>(reduced, size()) += Phi_.transpose() * f;
  }
  void pull(const Slots& slots, int vector, const Vec3<double>& g, double* reduced) const override {
    std::vector<double> forces(x_.size(), 0.0);
    for (int m = 0; m < 3; ++m) forces[3ul * vector + m] = g[m];
    restrict(slots, forces.data(), reduced);
  }
  void fit(const Slots& slots, const double* rates, double* w) const override {
    Eigen::Map<Vector> to(w, size());
    to.setZero();
    restrict(slots, rates, w);
    to = (Phi_.transpose() * Phi_).ldlt().solve(Vector(to));
  }
  void update(double* q, Slots& slots) const override {
    Vector3d c = Vector3d::Zero();
    int positions = 0;
    for (int v = 0; v < vectors(); ++v)
      if (is_position_[v]) {
        c += three(q + 3l * v);
        ++positions;
      }
    c /= positions;
    Matrix3d A = Matrix3d::Zero();
    for (int v = 0; v < vectors(); ++v)
      A += (three(q + 3l * v) - (is_position_[v] ? c : Vector3d::Zero())) * arm(v).transpose();
    const Eigen::JacobiSVD<Matrix3d> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(slots[slot_]);
    R = svd.matrixU() * svd.matrixV().transpose();
    // Back into shape: c + R (x + Phi eta).
    const int modes = size() - 6;
    Vector u(3l * vectors());
    for (int v = 0; v < vectors(); ++v)
      u.segment<3>(3l * v) = R.transpose() * (three(q + 3l * v) - (is_position_[v] ? c : Vector3d::Zero())) - arm(v);
    const Matrix shapes = Phi_.rightCols(modes);
    const Vector bent = modes ? Vector(shapes * (shapes.transpose() * shapes).ldlt().solve(shapes.transpose() * u))
                              : Vector(Vector::Zero(u.size()));
    for (int v = 0; v < vectors(); ++v)
      Eigen::Map<Vector3d>(q + 3l * v) =
          (is_position_[v] ? c : Vector3d::Zero()) + R * (arm(v) + bent.segment<3>(3l * v));
  }
  Matrix3d rotation(const Slots& slots) const {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(slots[slot_]);
  }

 private:
  std::vector<double> x_;
  std::vector<char> is_position_;
  Vector3d centre_ = Vector3d::Zero();
  Matrix Phi_;
  int slot_ = -1;
};

// A free block of two elements, 0.4 x 0.2 x 0.1 m.
Model block() {
  Model model;
  model.materials.add("m", Isotropic{1e5, 0, 1000, 0});
  Body body;
  body.element = ElementKind::hexa3843;
  body.material = "m";
  body.mesh = BlockMesh{{0, 0, 0}, {0.4, 0, 0}, {0, 0.2, 0}, {0, 0, 0.1}, {2, 1, 1}};
  model.bodies.add("block", body);
  return model;
}

struct Scene {
  System system;
  std::shared_ptr<TurningBody> body;
  explicit Scene(const std::function<Matrix(const System&)>& modes) : system(compile(block())) {
    std::vector<char> is_position(system.vectors());
    for (int v = 0; v < system.vectors(); ++v) is_position[v] = v % 4 == 0;
    body = std::make_shared<TurningBody>(system.q0, is_position, modes(system));
    system.map.attach(0, system.vectors(), body);
  }
};

// Half a step of q, new rates from the balance of momentum with the rotation there, half a step of q.
class SmallStepper {
 public:
  explicit SmallStepper(const System& system) : system_(system), mass_(system), work_(system, 1) {}
  void step(double h, State& s) {
    const std::size_t n = s.q.size();
    for (std::size_t i = 0; i < n; ++i) s.q[i] += 0.5 * h * s.v[i];
    system_.map.update(s.q, s.slots);
    evaluate_internal(system_, s, work_);
    std::vector<double> momentum(n), reduced, unit(system_.map.size, 0.0), column;
    mass_.multiply(s.v, momentum);
    for (std::size_t i = 0; i < n; ++i) momentum[i] -= h * work_.internal[i];
    system_.map.restrict(s.slots, momentum, reduced);
    Matrix A(system_.map.size, system_.map.size);
    for (int j = 0; j < system_.map.size; ++j) {
      unit[j] = 1;
      std::vector<double> x(n, 0.0), y(n);
      system_.map.prolong(s.slots, unit, 1, x);
      unit[j] = 0;
      mass_.multiply(x, y);
      system_.map.restrict(s.slots, y, column);
      A.col(j) = Eigen::Map<const Vector>(column.data(), system_.map.size);
    }
    const Vector w = A.ldlt().solve(Eigen::Map<const Vector>(reduced.data(), system_.map.size));
    std::fill(s.v.begin(), s.v.end(), 0.0);
    system_.map.prolong(s.slots, {w.data(), w.data() + w.size()}, 1, s.v);
    for (std::size_t i = 0; i < n; ++i) s.q[i] += 0.5 * h * s.v[i];
    system_.map.update(s.q, s.slots);
    s.t += h;
  }

 private:
  const System& system_;
  MassMatrix mass_;
  Workspace work_;
};

Matrix no_modes(const System& system) { return Matrix::Zero(3l * system.vectors(), 0); }

TEST(CoordinateMap, RestrictionOfAMappedBodyIsTheTransposeOfProlongation) {
  Scene scene(no_modes);
  const System& system = scene.system;
  EXPECT_EQ(system.map.size, 6);
  State state = system.initial_state();
  EXPECT_EQ(state.slots.find("body 'turning': rotation"), 0);
  std::vector<double> z(6), f(state.q.size()), x(state.q.size(), 0.0), reduced;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::sin(1.0 + static_cast<double>(i));
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = std::cos(0.7 * static_cast<double>(i));
  system.map.prolong(state.slots, z, 1, x);
  system.map.restrict(state.slots, f, reduced);
  double left = 0, right = 0;
  for (std::size_t i = 0; i < f.size(); ++i) left += f[i] * x[i];
  for (std::size_t i = 0; i < z.size(); ++i) right += z[i] * reduced[i];
  EXPECT_NEAR(left, right, 1e-12);
  std::vector<double> back;
  const std::vector<double> rates = x;
  system.map.admit(state.slots, x, back);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(back[i], z[i], 1e-12);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], rates[i], 1e-12);
}

// Euler's equations of the free top in the body's axes and R' = R [w], by Runge-Kutta with tiny steps.
Matrix3d top(const Vector3d& inertia, Vector3d w, double time) {
  Eigen::Quaterniond R = Eigen::Quaterniond::Identity();
  const int steps = 20000;
  const double h = time / steps;
  const auto rate = [&](const Vector3d& x) -> Vector3d {
    return (-x.cross(Vector3d(inertia.cwiseProduct(x)))).cwiseQuotient(inertia);
  };
  const auto turn = [](const Eigen::Quaterniond& r, const Vector3d& x) {
    return Eigen::Vector4d((r * Eigen::Quaterniond(0, x[0] / 2, x[1] / 2, x[2] / 2)).coeffs());
  };
  for (int k = 0; k < steps; ++k) {
    const auto moved = [&](const Eigen::Vector4d& d, double s) {
      return Eigen::Quaterniond(Eigen::Vector4d(R.coeffs() + s * d));
    };
    const Vector3d a1 = rate(w), a2 = rate(w + h / 2 * a1), a3 = rate(w + h / 2 * a2), a4 = rate(w + h * a3);
    const Eigen::Vector4d b1 = turn(R, w), b2 = turn(moved(b1, h / 2), w + h / 2 * a1),
                          b3 = turn(moved(b2, h / 2), w + h / 2 * a2), b4 = turn(moved(b3, h), w + h * a3);
    R = moved(b1 + 2 * b2 + 2 * b3 + b4, h / 6).normalized();
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return R.toRotationMatrix();
}

TEST(CoordinateMap, SixRigidShapesMoveAsATop) {
  const Vector3d w0(1, 4, 0.5);
  const double time = 1, mass = 8;
  const Vector3d inertia(mass / 12 * (0.04 + 0.01), mass / 12 * (0.16 + 0.01), mass / 12 * (0.16 + 0.04));
  const Matrix3d exact = top(inertia, w0, time);
  std::vector<double> errors;
  std::vector<Matrix3d> found;
  for (const int steps : {200, 400, 800}) {
    Scene scene(no_modes);
    State state = scene.system.initial_state();
    std::vector<double> w{0.3, 0, -0.1, w0[0], w0[1], w0[2]};
    scene.system.map.prolong(state.slots, w, 1, state.v);
    SmallStepper stepper(scene.system);
    for (int k = 0; k < steps; ++k) stepper.step(time / steps, state);
    found.push_back(scene.body->rotation(state.slots));
    errors.push_back((found.back() - exact).norm());
    EXPECT_NEAR(state.q[0] - (0.2 + 0.3 * time - (exact * Vector3d(0.2, 0.1, 0.05))[0]), 0, 2 * errors.back());
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 0.9);
  EXPECT_GT(std::log2(errors[1] / errors[2]), 0.9);
  EXPECT_LT((2 * found[2] - found[1] - exact).norm(), 2e-3);  // the stepper is of first order
}

// One shape u_x = (x - 0.2) eta, the affine stretch, in a block that is turned and moved: eta swings with
// omega^2 = (E V) / (rho A L^3 / 12) and nothing else happens.
TEST(CoordinateMap, OneShapeSwingsWithItsOwnFrequencyWhateverTheRotation) {
  const auto stretch = [](const System& system) {
    Matrix mode = Matrix::Zero(3l * system.vectors(), 1);
    for (int v = 0; v < system.vectors(); ++v) {
      if (v % 4 == 0) mode(3l * v, 0) = system.q0[3ul * v] - 0.2;
      if (v % 4 == 1) mode(3l * v, 0) = 1;
    }
    return mode;
  };
  const double omega = std::sqrt(12 * 1e5 / 1000) / 0.4, amount = 1e-5, time = 2 * M_PI / omega;
  for (const bool turned : {false, true}) {
    Scene scene(stretch);
    const System& system = scene.system;
    State state = system.initial_state();
    const Matrix3d R =
        turned ? Eigen::AngleAxisd(2, Vector3d(1, 2, 3).normalized()).toRotationMatrix() : Matrix3d::Identity();
    const Vector3d moved = turned ? Vector3d(5, -3, 1) : Vector3d::Zero();
    const Matrix mode = stretch(system);
    for (int v = 0; v < system.vectors(); ++v)
      Eigen::Map<Vector3d>(&state.q[3ul * v]) =
          R * (three(&system.q0[3ul * v]) + amount * mode.block<3, 1>(3l * v, 0)) +
          (v % 4 == 0 ? moved : Vector3d::Zero());
    system.map.update(state.q, state.slots);
    SmallStepper stepper(system);
    const int steps = 200;
    const auto length = [&] {  // of the edge along x: r_x of the first node
      return three(&state.q[3]).norm() - 1;
    };
    EXPECT_NEAR(length(), amount, 1e-12);
    for (int k = 1; k <= steps; ++k) {
      stepper.step(time / steps, state);
      EXPECT_NEAR(length(), amount * std::cos(omega * time * k / steps), 1e-3 * amount) << k;
    }
    EXPECT_NEAR((scene.body->rotation(state.slots) - R).norm(), 0, 1e-9);
  }
}

TEST(Slots, AreFoundByNameAndGrowWithoutDisturbingOthers) {
  Slots slots;
  EXPECT_EQ(slots.add("a", {1, 2}), 0);
  EXPECT_EQ(slots.add("contact", {}), 1);
  EXPECT_EQ(slots.add("b", {3}), 2);
  EXPECT_EQ(slots.find("b"), 2);
  EXPECT_EQ(slots.find("c"), -1);
  slots.resize(1, 3);
  slots[1][2] = 7;
  EXPECT_EQ(slots.size(1), 3);
  EXPECT_EQ(slots[2][0], 3);
  slots.resize(1, 1);
  EXPECT_EQ(slots[2][0], 3);
  EXPECT_EQ(slots.size(0), 2);
}

}  // namespace
}  // namespace lithe
