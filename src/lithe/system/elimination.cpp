// Elimination, vector by vector. A tie sum_k w_k q_k = b makes one of its vectors a slave of the others (at most four);
// with one vector left it holds that vector. A scalar row on one vector holds a direction of it. Everything else stays
// a row with a multiplier or a penalty.
#include "lithe/system/elimination.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "lithe/base/error.h"

namespace lithe {

int add_owner(System& system, ConstraintOwner::Kind kind, int index, const std::string& text) {
  for (std::size_t i = 0; i < system.owners.size(); ++i)
    if (system.owners[i].kind == kind && system.owners[i].index == index) return static_cast<int>(i);
  system.owners.push_back({kind, index, text, {}, {}});
  return static_cast<int>(system.owners.size()) - 1;
}

namespace {

constexpr std::size_t most_masters = 4;

struct Hold {
  Vec3<double> direction;
  Signal displacement;
  int owner;
};

class Elimination {
 public:
  explicit Elimination(System& system)
      : system_(system), slave_of_(system.unknowns.size(), -1), dependants_(system.unknowns.size()),
        holds_(system.unknowns.size()), rigid_(system.unknowns.size(), 0) {
    for (const BodyInfo& body : system.bodies)
      if (body.kind == ElementKind::rigid)
        for (int k = 0; k < 4; ++k) rigid_[body.first_vector + k] = 1;
    tolerance_ = 1e-9 * std::max(system.length_scale, 1e-12);
  }

  void run() {
    const bool keep_all = system_.model.treatment == Treatment::lagrange;
    std::vector<ConstraintRow> kept;
    if (keep_all) drop_redundant();
    std::vector<char> lonely(system_.unknowns.size(), 0);  // vectors that will be held: bad slaves
    for (const Tie& tie : system_.ties)
      if (tie.x.vectors.size() == 1) lonely[tie.x.vectors[0]] = 1;
    for (const ConstraintRow& row : system_.rows)
      if (row.part.is_linear() && row.part.arguments[0].vectors.size() == 1) lonely[row.part.arguments[0].vectors[0]] = 1;
    for (const bool joining : {true, false})  // what joins vectors first, then what holds one
      for (const Tie& tie : system_.ties)
        if ((tie.x.vectors.size() > 1) == joining && (keep_all || !eliminate_tie(tie, lonely)))
          for (int m = 0; m < 3; ++m) {
            Vec3<double> axis{};
            axis[m] = 1;
            kept.push_back({Part::linear(axis, tie.x), tie.constant[m], Signal(0), tie.owner});
          }
    for (ConstraintRow& row : system_.rows)
      if (keep_all || !row.part.is_linear() || !hold(row)) kept.push_back(std::move(row));
    system_.rows = std::move(kept);
    number();
    drop_motionless();
    for (std::size_t r = 0; r < system_.rows.size(); ++r)
      system_.owners[system_.rows[r].owner].rows.push_back(static_cast<int>(r));
  }

 private:
  // Multipliers for everything: equations among vectors that are all held have nothing left to say.
  void drop_redundant() {
    std::vector<char> held(system_.unknowns.size(), 0);
    for (const Tie& tie : system_.ties)
      if (tie.x.vectors.size() == 1) held[tie.x.vectors[0]] = 1;
    const auto all_held = [&](const Form& x) {
      return std::all_of(x.vectors.begin(), x.vectors.end(), [&](int v) { return held[v] != 0; });
    };
    std::erase_if(system_.ties, [&](const Tie& tie) {
      if (tie.x.vectors.size() < 2 || !all_held(tie.x)) return false;
      const Vec3<double> gap = tie.x.value(system_.q0) - tie.constant;
      if (std::sqrt(dot(gap, gap)) > tolerance_) conflict(tie.owner, "contradicts the other constraints");
      return true;
    });
    std::erase_if(system_.rows, [&](const ConstraintRow& row) {
      const auto& arguments = row.part.arguments;
      return !std::all_of(arguments.begin(), arguments.end(), all_held) ? false : satisfied(row);
    });
  }

  // The same for what elimination left without unknowns: a clamped rigid body stays rigid by itself.
  void drop_motionless() {
    std::vector<char> driven(system_.unknowns.size(), 0);
    for (const DrivenDirection& d : system_.driven) driven[d.vector] = 1;
    const auto at_rest = [&](int v) { return system_.unknowns[v].count == 0 && !driven[v]; };
    std::erase_if(system_.rows, [&](const ConstraintRow& row) {
      for (const Form& argument : row.part.arguments)
        for (int v : argument.vectors) {
          const int s = system_.unknowns[v].slave;
          if (s < 0 ? !at_rest(v) : !std::ranges::all_of(system_.slaves[s].masters, at_rest)) return false;
        }
      return satisfied(row);
    });
  }

  // Does a row hold at the reference, so that it may go? A moving target among vectors at rest is an error.
  bool satisfied(const ConstraintRow& row) const {
    Vec3<double> x[largest_argument_count];
    for (int i = 0; i < row.part.count(); ++i) x[i] = row.part.arguments[i].value(system_.q0);
    std::vector<double> near;
    for (const Angle& angle : system_.angles) near.push_back(angle_value(angle, system_.q0, 0));
    const double gap = part_value(row.part, x, near) - row.constant;
    if (!row.target.is_constant() || std::abs(gap - row.target.constant()) > std::max(tolerance_, 1e-9))
      conflict(row.owner, "contradicts the other constraints: it would move what they hold");
    return true;
  }

  // x over vectors that are no slaves; what slaves are offset by goes into the constant.
  Form expand(const Form& x) const {
    std::map<int, double> sum;
    Form result;
    result.constant = x.constant;
    for (std::size_t k = 0; k < x.vectors.size(); ++k) {
      const int s = slave_of_[x.vectors[k]];
      if (s < 0) {
        sum[x.vectors[k]] += x.weights[k];
        continue;
      }
      const Slave& slave = system_.slaves[s];
      result.constant = result.constant + x.weights[k] * slave.offset;
      for (std::size_t i = 0; i < slave.masters.size(); ++i) sum[slave.masters[i]] += x.weights[k] * slave.weights[i];
    }
    for (const auto& [vector, weight] : sum)
      if (std::abs(weight) > 1e-13) {
        result.vectors.push_back(vector);
        result.weights.push_back(weight);
      }
    return result;
  }

  bool eliminate_tie(const Tie& tie, const std::vector<char>& lonely) {
    const Form x = expand(tie.x);
    const Vec3<double> rest = tie.constant - x.constant;
    if (x.vectors.empty()) {
      if (std::sqrt(dot(rest, rest)) > tolerance_) conflict(tie.owner, "contradicts the other constraints");
      return true;
    }
    if (x.vectors.size() == 1) {
      const int v = x.vectors[0];
      for (int m = 0; m < 3; ++m) {
        Vec3<double> axis{};
        axis[m] = 1;
        const double wanted = rest[m] / x.weights[0];
        check_start(tie.owner, wanted - system_.q0[3ul * v + m]);
        holds_[v].push_back({axis, Signal(0), tie.owner});
      }
      remember(tie, v);
      return true;
    }
    // The slave: not one that will be held, rather a node than a rigid body, the largest weight.
    int pivot = -1;
    double best = -1, largest = 0;
    for (double w : x.weights) largest = std::max(largest, std::abs(w));
    for (std::size_t k = 0; k < x.vectors.size(); ++k) {
      const int v = x.vectors[k];
      if (x.vectors.size() - 1 > most_masters || !holds_[v].empty() || !substitution_fits(v, x)) continue;
      if (std::abs(x.weights[k]) < 0.01 * largest) continue;  // a gradient of little weight would multiply errors
      const double rank = (lonely[v] ? 0 : 100) + (rigid_[v] ? 0 : 10) + std::min(9.0, std::abs(x.weights[k]));
      if (rank >= best) {
        best = rank;
        pivot = static_cast<int>(k);
      }
    }
    if (pivot < 0) return false;
    Slave slave;
    slave.vector = x.vectors[pivot];
    const double w = x.weights[pivot];
    slave.offset = (1 / w) * rest;
    for (std::size_t k = 0; k < x.vectors.size(); ++k)
      if (static_cast<int>(k) != pivot) {
        slave.masters.push_back(x.vectors[k]);
        slave.weights.push_back(-x.weights[k] / w);
      }
    add_slave(slave);
    remember(tie, slave.vector);
    return true;
  }

  void remember(const Tie& tie, int vector) {
    // The vector as the user's tie sees it carries the force.
    for (int v : tie.x.vectors)
      if (v == vector) return system_.owners[tie.owner].vectors.push_back(v);
    system_.owners[tie.owner].vectors.push_back(tie.x.vectors.back());
  }

  // Slaves that have v as master would get the other vectors of x instead.
  bool substitution_fits(int v, const Form& x) const {
    for (const int s : dependants_[v]) {
      std::map<int, char> masters;
      for (int m : system_.slaves[s].masters) masters[m] = 1;
      masters.erase(v);
      for (int m : x.vectors)
        if (m != v) masters[m] = 1;
      if (masters.size() > most_masters) return false;
    }
    return true;
  }

  void add_slave(const Slave& slave) {
    const int number = static_cast<int>(system_.slaves.size());
    system_.slaves.push_back(slave);
    slave_of_[slave.vector] = number;
    const std::vector<int> dependants = std::move(dependants_[slave.vector]);
    dependants_[slave.vector].clear();
    for (int s : dependants) {
      Slave& other = system_.slaves[s];
      const Form again = expand(Form{other.masters, other.weights, other.offset});
      other.masters = again.vectors;
      other.weights = again.weights;
      other.offset = again.constant;
      link(s);
    }
    link(number);
  }
  void link(int s) {
    for (int m : system_.slaves[s].masters) {
      std::vector<int>& list = dependants_[m];
      if (std::find(list.begin(), list.end(), s) == list.end()) list.push_back(s);
    }
  }

  bool hold(const ConstraintRow& row) {
    const Form x = expand(row.part.arguments[0]);
    const double rest = row.constant - dot(row.part.along, x.constant);
    if (x.vectors.empty()) {
      if (!row.target.is_constant() || std::abs(rest + row.target.constant()) > tolerance_)
        conflict(row.owner, "contradicts the other constraints");
      return true;
    }
    if (x.vectors.size() != 1) return false;
    const int v = x.vectors[0];
    const double size = std::sqrt(dot(row.part.along, row.part.along)) * std::abs(x.weights[0]);
    const Vec3<double> direction = (x.weights[0] / size) * row.part.along;
    const Vec3<double> start{{system_.q0[3ul * v], system_.q0[3ul * v + 1], system_.q0[3ul * v + 2]}};
    check_start(row.owner, rest / size - dot(direction, start));
    if (!row.target.is_constant() && std::abs(size - 1) > 1e-12) return false;  // a scaled signal stays a row
    holds_[v].push_back({direction, row.target, row.owner});
    system_.owners[row.owner].vectors.push_back(row.part.arguments[0].vectors.back());
    return true;
  }

  void check_start(int owner, double gap) const {
    if (std::abs(gap) > tolerance_)
      conflict(owner, "does not hold in the reference configuration (by " + number_text(std::abs(gap)) + ")");
  }

  [[noreturn]] void conflict(int owner, const std::string& what) const {
    throw InputError(system_.owners[owner].text + " " + what);
  }

  // Directions held at each vector become eliminated components of a basis in which they are axes.
  void number() {
    const Vec3<double> axes[3] = {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
    for (const Slave& slave : system_.slaves) LITHE_INVARIANT(holds_[slave.vector].empty());
    int next = 0;
    for (std::size_t v = 0; v < holds_.size(); ++v) {
      VectorUnknowns& u = system_.unknowns[v];
      u.first = next;
      if (slave_of_[v] >= 0) {
        u.count = 0;
        continue;
      }
      // Gram-Schmidt; directions that add nothing are redundant and drop out.
      std::vector<Vec3<double>> basis;
      std::vector<int> who;
      auto add = [&](Vec3<double> d) {
        d = (1 / std::sqrt(dot(d, d))) * d;
        for (const auto& e : basis) d = d - dot(d, e) * e;
        const double length = std::sqrt(dot(d, d));
        if (length > 1e-8) basis.push_back((1 / length) * d);
        return length > 1e-8;
      };
      bool moving = false;
      for (const Hold& h : holds_[v]) {
        const bool moves = !h.displacement.is_constant() || h.displacement.constant() != 0;
        if (!add(h.direction)) {
          if (moves || moving)
            conflict(h.owner, "prescribes a direction that " + system_.owners[who.front()].text + " holds already");
          continue;
        }
        who.push_back(h.owner);
        moving = moving || moves;
        if (moves) {
          for (std::size_t k = 0; k + 1 < basis.size(); ++k)
            if (std::abs(dot(basis[k], h.direction)) > 1e-9)
              conflict(h.owner, "moves a direction that is not at a right angle to one held by " +
                                    system_.owners[who.front()].text);
          system_.driven.push_back({static_cast<int>(v), basis.back(), h.displacement});
        }
      }
      const std::size_t fixed = basis.size();
      u.count = static_cast<std::int8_t>(3 - fixed);
      if (fixed > 0 && fixed < 3) {
        bool aligned = true;
        bool axis_held[3] = {false, false, false};
        for (int m = 0; m < 3; ++m) {
          double inside = 0;
          for (std::size_t k = 0; k < fixed; ++k) inside += basis[k][m] * basis[k][m];
          aligned = aligned && (inside < 1e-14 || inside > 1 - 1e-14);
          axis_held[m] = inside > 0.5;
        }
        if (aligned) {
          int k = 0;
          for (int m = 0; m < 3; ++m)
            if (!axis_held[m]) u.component[k++] = static_cast<std::int8_t>(m);
        } else {
          for (const auto& a : axes)
            if (basis.size() < 3) add(a);
          Mat3<double> Q;  // held directions last
          for (int k = 0; k < 3; ++k)
            for (int m = 0; m < 3; ++m) Q[m][k] = basis[(k + fixed) % 3][m];
          u.basis = static_cast<std::int32_t>(system_.bases.size());
          system_.bases.push_back(Q);
        }
      }
      next += u.count;
    }
    system_.size = next;
    alias();
  }

  // A slave of one master with weight 1 shares its unknowns; a constant offset is in q already.
  void alias() {
    system_.representative.resize(system_.unknowns.size());
    for (std::size_t v = 0; v < system_.unknowns.size(); ++v) system_.representative[v] = static_cast<int>(v);
    std::vector<Slave> combined;
    for (const Slave& slave : system_.slaves) {
      VectorUnknowns& u = system_.unknowns[slave.vector];
      const bool same = slave.masters.size() == 1 && std::abs(slave.weights[0] - 1) < 1e-12;
      if (same) {
        const int master = slave.masters[0];
        const std::int32_t first = system_.unknowns[master].first;
        u = system_.unknowns[master];
        u.first = first;
        system_.representative[slave.vector] = master;
        const std::size_t driven = system_.driven.size();
        for (std::size_t d = 0; d < driven; ++d)
          if (system_.driven[d].vector == master) {
            DrivenDirection copy = system_.driven[d];
            copy.vector = slave.vector;
            system_.driven.push_back(copy);
          }
      } else {
        u.slave = static_cast<std::int32_t>(combined.size());
        u.count = 0;
        system_.representative[slave.vector] = -1;
        combined.push_back(slave);
      }
    }
    system_.slaves = std::move(combined);
    system_.owner_of_unknown.assign(system_.size, 0);
    for (int v = static_cast<int>(system_.unknowns.size()) - 1; v >= 0; --v) {
      const VectorUnknowns& u = system_.unknowns[v];
      for (int c = 0; c < u.count; ++c) system_.owner_of_unknown[u.first + c] = v;
    }
  }

  System& system_;
  std::vector<int> slave_of_;
  std::vector<std::vector<int>> dependants_;
  std::vector<std::vector<Hold>> holds_;
  std::vector<char> rigid_;
  double tolerance_;
};

}  // namespace

void eliminate(System& system) { Elimination(system).run(); }

}  // namespace lithe
