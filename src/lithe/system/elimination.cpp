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
  // The equations of one owner follow each other.
  if (system.owners.empty() || system.owners.back().kind != kind || system.owners.back().index != index)
    system.owners.push_back({kind, index, text, {}, {}, {}, 0});
  return static_cast<int>(system.owners.size()) - 1;
}

const Where& where_of(const System& system, int number) {
  const ConstraintOwner& owner = system.owners[number];
  const Model& model = system.model;
  switch (owner.kind) {
    case ConstraintOwner::Kind::constraint:
      return model.constraints.where[owner.index];
    case ConstraintOwner::Kind::joint:
      return model.joints.where[owner.index];
    default:
      return model.bodies.where[owner.index];
  }
}

void set_rows(System& system, const std::vector<ConstraintRow>& rows) {
  system.rows = ConstraintRows(rows);
  for (ConstraintOwner& owner : system.owners) owner.rows.clear();
  for (std::size_t r = 0; r < rows.size(); ++r) system.owners[rows[r].owner].rows.push_back(static_cast<int>(r));
}

namespace {

constexpr std::size_t most_masters = 4;

struct Slave {
  int vector = 0;
  std::vector<int> masters;  // vectors that are no slaves
  std::vector<double> weights;
  Vec3<double> offset{};
};

// One equation that left the unknowns: along . x(q), x of a tie or of a row that was eliminated.
struct EliminatedEquation {
  int tie = -1;  // into ConstraintEquations::ties, or
  int row = -1;  // into ConstraintEquations::eliminated
  Vec3<double> along{};
  int owner = 0;
};

struct HeldAlong {
  Vec3<double> direction;
  Signal displacement;
  EliminatedEquation equation;
};

class Elimination {
 public:
  Elimination(System& system, ConstraintEquations& equations)
      : system_(system),
        equations_(equations),
        slave_of_(system.map.unknowns.size(), -1),
        dependants_(system.map.unknowns.size()),
        holds_(system.map.unknowns.size()),
        rigid_(system.map.unknowns.size(), 0),
        base_(system.map.unknowns.size(), 0) {
    for (const BodyInfo& body : system.bodies)
      if (body.kind == ElementKind::rigid)
        for (int k = 0; k < 4; ++k) {
          rigid_[body.first_vector + k] = 1;
          base_[body.first_vector + k] = k > 0;
        }
    tolerance_ = 1e-9 * std::max(system.length_scale, 1e-12);
  }

  void run() {
    const bool keep_all = system_.model.treatment == Treatment::lagrange;
    std::vector<ConstraintRow> kept;
    if (keep_all) drop_redundant_ties();
    std::vector<char> lonely(system_.map.unknowns.size(), 0);  // vectors that will be held: bad slaves
    for (const Tie& tie : equations_.ties)
      if (tie.x.vectors.size() == 1) lonely[tie.x.vectors[0]] = 1;
    for (const ConstraintRow& row : equations_.rows)
      if (row.part.is_linear() && row.part.arguments[0].vectors.size() == 1)
        lonely[row.part.arguments[0].vectors[0]] = 1;
    for (const bool joining : {true, false})  // what joins vectors first, then what holds one
      for (std::size_t t = 0; t < equations_.ties.size(); ++t) {
        const Tie& tie = equations_.ties[t];
        if ((tie.x.vectors.size() > 1) != joining) continue;
        if (keep_all || !eliminate_tie(static_cast<int>(t), lonely))
          for (int m = 0; m < 3; ++m)
            kept.push_back({Part::linear(axis(m), tie.x), tie.constant[m], Signal(0), tie.owner, tie.bearings});
      }
    for (ConstraintRow& row : equations_.rows)
      if (keep_all || !row.part.is_linear() || !hold(row)) kept.push_back(std::move(row));
    equations_.rows = std::move(kept);
    set_rows(system_, equations_.rows);
    number();
    keep_eliminated();
  }

 private:
  // Multipliers for everything: a tie between vectors that are held anyway says nothing more. (What else is redundant
  // is found by rank, redundancy.cpp.)
  void drop_redundant_ties() {
    std::vector<char> held(system_.map.unknowns.size(), 0);
    for (const Tie& tie : equations_.ties)
      if (tie.x.vectors.size() == 1) held[tie.x.vectors[0]] = 1;
    std::erase_if(equations_.ties, [&](const Tie& tie) {
      if (tie.x.vectors.size() < 2 || !std::ranges::all_of(tie.x.vectors, [&](int v) { return held[v] != 0; }))
        return false;
      const Vec3<double> gap = tie.x.value(system_.q0) - tie.constant;
      if (std::sqrt(dot(gap, gap)) > tolerance_) contradiction(tie.owner, tie.x);
      system_.owners[tie.owner].redundant += 3;
      return true;
    });
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
      const Slave& slave = slaves_[s];
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

  // Vectors of mapped bodies have no unknowns that could go.
  bool meets_mapped(const Form& x) const {
    return std::ranges::any_of(x.vectors, [&](int v) { return system_.will_map(v); });
  }

  bool eliminate_tie(int t, const std::vector<char>& lonely) {
    const Tie& tie = equations_.ties[t];
    const Form x = expand(tie.x);
    if (meets_mapped(x)) return false;
    const Vec3<double> rest = tie.constant - x.constant;
    if (x.vectors.empty()) {
      if (std::sqrt(dot(rest, rest)) > tolerance_) contradiction(tie.owner, tie.x);
      system_.owners[tie.owner].redundant += 3;
      return true;
    }
    if (x.vectors.size() == 1) {
      const int v = x.vectors[0];
      for (int m = 0; m < 3; ++m) {
        const double wanted = rest[m] / x.weights[0];
        check_start(tie.owner, wanted - system_.q0[3ul * v + m]);
        holds_[v].push_back({axis(m), Signal(0), {t, -1, axis(m), tie.owner}});
      }
      remember(tie, v);
      return true;
    }
    // The slave: not one that will be held, a position before a base vector, rather a node than a rigid body, the
    // largest weight. Where a tie of points closes a loop of rigid bodies only base vectors are left. To give one of
    // them up would take away an equation across the plane of a planar mechanism, and another one has to be dropped
    // for it, which holds the rest well in some positions and not at all in others. So it stays rows, and those that
    // are redundant go. Ties of frames are made of base vectors, and two of them that are parallel stay so.
    const bool frames = std::ranges::all_of(tie.x.vectors, [&](int v) { return base_[v] != 0; });
    const bool points = !frames && x.vectors.size() > 2;
    int pivot = -1;
    double best = -1, largest = 0;
    for (double w : x.weights) largest = std::max(largest, std::abs(w));
    for (std::size_t k = 0; k < x.vectors.size(); ++k) {
      const int v = x.vectors[k];
      if (x.vectors.size() - 1 > most_masters || !holds_[v].empty() || !substitution_fits(v, x)) continue;
      if (std::abs(x.weights[k]) < 0.01 * largest) continue;  // a gradient of little weight would multiply errors
      if (points && base_[v]) continue;
      const double rank =
          (lonely[v] ? 0 : 100) + (base_[v] ? 0 : 50) + (rigid_[v] ? 0 : 10) + std::min(9.0, std::abs(x.weights[k]));
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
    for (int m = 0; m < 3; ++m) eliminated_.push_back({t, -1, axis(m), tie.owner});
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
      for (int m : slaves_[s].masters) masters[m] = 1;
      masters.erase(v);
      for (int m : x.vectors)
        if (m != v) masters[m] = 1;
      if (masters.size() > most_masters) return false;
    }
    return true;
  }

  void add_slave(const Slave& slave) {
    const int number = static_cast<int>(slaves_.size());
    slaves_.push_back(slave);
    slave_of_[slave.vector] = number;
    const std::vector<int> dependants = std::move(dependants_[slave.vector]);
    dependants_[slave.vector].clear();
    for (int s : dependants) {
      Slave& other = slaves_[s];
      const Form again = expand(Form{other.masters, other.weights, other.offset});
      other.masters = again.vectors;
      other.weights = again.weights;
      other.offset = again.constant;
      link(s);
    }
    link(number);
  }
  void link(int s) {
    for (int m : slaves_[s].masters) {
      std::vector<int>& list = dependants_[m];
      if (std::find(list.begin(), list.end(), s) == list.end()) list.push_back(s);
    }
  }

  bool hold(const ConstraintRow& row) {
    const Form x = expand(row.part.arguments[0]);
    const double rest = row.constant - dot(row.part.along, x.constant);
    if (x.vectors.empty()) {
      if (!row.target.is_constant() || std::abs(rest + row.target.constant()) > tolerance_)
        contradiction(row.owner, row.part.arguments[0]);
      ++system_.owners[row.owner].redundant;
      return true;
    }
    if (x.vectors.size() != 1 || meets_mapped(x)) return false;
    const int v = x.vectors[0];
    const double size = std::sqrt(dot(row.part.along, row.part.along)) * std::abs(x.weights[0]);
    const Vec3<double> direction = (x.weights[0] / size) * row.part.along;
    const Vec3<double> start{{system_.q0[3ul * v], system_.q0[3ul * v + 1], system_.q0[3ul * v + 2]}};
    check_start(row.owner, rest / size - dot(direction, start));
    if (!row.target.is_constant() && std::abs(size - 1) > 1e-12) return false;  // a scaled signal stays a row
    equations_.eliminated.push_back(row);
    const int number = static_cast<int>(equations_.eliminated.size()) - 1;
    holds_[v].push_back({direction, row.target, {-1, number, row.part.along, row.owner}});
    system_.owners[row.owner].vectors.push_back(row.part.arguments[0].vectors.back());
    return true;
  }

  void check_start(int owner, double gap) const {
    if (std::abs(gap) > tolerance_)
      conflict(owner, "does not hold in the reference configuration (by " + number_text(std::abs(gap)) + ")");
  }

  static Vec3<double> axis(int m) {
    Vec3<double> a{};
    a[m] = 1;
    return a;
  }

  // All vectors of x are given by others already: those who gave them.
  [[noreturn]] void contradiction(int owner, const Form& x) const {
    std::string others;
    for (const ConstraintOwner& other : system_.owners) {
      if (&other == &system_.owners[owner]) continue;
      bool meets = false;
      for (int v : other.vectors) meets = meets || std::find(x.vectors.begin(), x.vectors.end(), v) != x.vectors.end();
      if (meets) others += (others.empty() ? "" : " and ") + other.text;
    }
    conflict(owner, "contradicts " + (others.empty() ? "the other constraints" : others) +
                        ": they cannot hold together; remove one of them or change its numbers");
  }

  [[noreturn]] void conflict(int owner, const std::string& what) const {
    throw InputError(where_of(system_, owner), system_.owners[owner].text + " " + what);
  }

  // Directions held at each vector become eliminated components of a basis in which they are axes.
  void number() {
    for (const Slave& slave : slaves_) LITHE_INVARIANT(holds_[slave.vector].empty());
    int next = 0;
    for (std::size_t v = 0; v < holds_.size(); ++v) {
      VectorUnknowns& u = system_.map.unknowns[v];
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
      for (const HeldAlong& h : holds_[v]) {
        const int owner = h.equation.owner;
        const bool moves = !h.displacement.is_constant() || h.displacement.constant() != 0;
        if (!add(h.direction)) {
          if (moves || moving)
            conflict(owner, "prescribes a direction that " + system_.owners[who.front()].text + " holds already");
          ++system_.owners[owner].redundant;
          continue;
        }
        who.push_back(owner);
        eliminated_.push_back(h.equation);
        moving = moving || moves;
        if (moves) {
          for (std::size_t k = 0; k + 1 < basis.size(); ++k)
            if (std::abs(dot(basis[k], h.direction)) > 1e-9)
              conflict(owner, "moves a direction that is not at a right angle to one held by " +
                                  system_.owners[who.front()].text);
          system_.map.driven.push_back({static_cast<int>(v), basis.back(), h.displacement});
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
          for (int m = 0; m < 3; ++m)
            if (basis.size() < 3) add(axis(m));
          Mat3<double> Q;  // held directions last
          for (int k = 0; k < 3; ++k)
            for (int m = 0; m < 3; ++m) Q[m][k] = basis[(k + fixed) % 3][m];
          u.basis = static_cast<std::int32_t>(system_.map.bases.size());
          system_.map.bases.push_back(Q);
        }
      }
      next += u.count;
    }
    system_.map.size = next;
    alias();
  }

  // What reactions need of the equations that are gone; the three of a tie share their form.
  void keep_eliminated() {
    EliminatedEquations& list = system_.eliminated;
    std::vector<int> of_tie(equations_.ties.size(), -1), of_row(equations_.eliminated.size(), -1);
    for (const EliminatedEquation& e : eliminated_) {
      int& form = e.tie >= 0 ? of_tie[e.tie] : of_row[e.row];
      if (form < 0) {
        form = list.x.count();
        list.x.add(e.tie >= 0 ? equations_.ties[e.tie].x : equations_.eliminated[e.row].part.arguments[0]);
        list.bearings.add(e.tie >= 0 ? equations_.ties[e.tie].bearings : equations_.eliminated[e.row].bearings);
      }
      system_.owners[e.owner].eliminated.push_back(list.count());
      list.form.push_back(form);
      list.along.push_back(e.along);
      list.owner.push_back(e.owner);
    }
  }

  // A slave of one master with weight 1 shares its unknowns; a constant offset is in q already.
  void alias() {
    system_.map.representative.resize(system_.map.unknowns.size());
    for (std::size_t v = 0; v < system_.map.unknowns.size(); ++v) system_.map.representative[v] = static_cast<int>(v);
    Slaves& slaves = system_.map.slaves;
    slaves = {};
    for (const Slave& slave : slaves_) {
      VectorUnknowns& u = system_.map.unknowns[slave.vector];
      const bool same = slave.masters.size() == 1 && std::abs(slave.weights[0] - 1) < 1e-12;
      if (same) {
        const int master = slave.masters[0];
        const std::int32_t first = system_.map.unknowns[master].first;
        u = system_.map.unknowns[master];
        u.first = first;
        system_.map.representative[slave.vector] = master;
        const std::size_t driven = system_.map.driven.size();
        for (std::size_t d = 0; d < driven; ++d)
          if (system_.map.driven[d].vector == master) {
            DrivenDirection copy = system_.map.driven[d];
            copy.vector = slave.vector;
            system_.map.driven.push_back(copy);
          }
      } else {
        u.slave = slaves.count();
        u.count = 0;
        system_.map.representative[slave.vector] = -1;
        slaves.vector.push_back(slave.vector);
        slaves.master.insert(slaves.master.end(), slave.masters.begin(), slave.masters.end());
        slaves.weight.insert(slaves.weight.end(), slave.weights.begin(), slave.weights.end());
        slaves.start.push_back(static_cast<std::int32_t>(slaves.master.size()));
        slaves.offset.push_back(slave.offset);
      }
    }
    system_.map.owner.assign(system_.map.size, 0);
    for (int v = static_cast<int>(system_.map.unknowns.size()) - 1; v >= 0; --v) {
      const VectorUnknowns& u = system_.map.unknowns[v];
      for (int c = 0; c < u.count; ++c) system_.map.owner[u.first + c] = v;
    }
  }

  System& system_;
  ConstraintEquations& equations_;
  std::vector<EliminatedEquation> eliminated_;
  std::vector<Slave> slaves_;
  std::vector<int> slave_of_;
  std::vector<std::vector<int>> dependants_;
  std::vector<std::vector<HeldAlong>> holds_;
  std::vector<char> rigid_, base_;  // [vector] of a rigid body, its base vectors
  double tolerance_;
};

}  // namespace

void eliminate(System& system, ConstraintEquations& equations) { Elimination(system, equations).run(); }

}  // namespace lithe
