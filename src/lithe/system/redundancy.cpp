// Redundancy is a property of the constraint manifold, not of one position: a parallelogram that lies flat has a rank
// too low there and nowhere else. So the start is moved along a pseudo-random direction of the null space of G by a
// finite step, brought back to c = 0 (Gauss-Newton, shortest corrections), and the rank of G is judged there.
//
// Unknowns are scaled: positions by the size of the model, gradients by 1; rows of G to unit length. While a point is
// |c| away from the manifold, singular values of redundant rows are of that size, so the tolerance of the rank follows
// |c| down to rounding.
// Over 500 lines: one class that goes over the rows, whose parts share what it found before.
#include "lithe/system/redundancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "lithe/base/error.h"
#include "lithe/linalg/row_rank.h"
#include "lithe/system/elimination.h"
#include "lithe/system/pattern.h"

namespace lithe {

namespace {

constexpr double consistent = 1e-10;  // |c| that needs no correction
constexpr double largest_correction = 1e-2;
constexpr double perturbation = 1e-2;
constexpr double rank_tolerance = 1e-7;
constexpr double no_part = 1e-6;  // of a combination of rows
// What a row that was dropped may be off by in the run, relative to the size of the model.
constexpr double allowed_gap = 1e-5;
constexpr int samples = 1000;   // of drives
constexpr double early = 1e-6;  // share of the run in which nothing has turned

class Settling {
 public:
  Settling(System& system, ConstraintEquations& equations) : system_(system), equations_(equations), work_(system, 1) {
    build_jacobian(system);
    state_ = system.initial_state();
    state_.a.assign(state_.q.size(), 0.0);
    system.map.follow(system.q0, 0, 0, state_.q, state_.v, state_.a);
    scale_.assign(system.map.size, 1.0);
    for (const BodyInfo& body : system.bodies)
      for (int n = 0; n < body.mesh.node_count(); ++n) {
        const VectorUnknowns& u = system.map.unknowns[body.vector(n, 0)];
        for (int c = 0; c < u.count; ++c) scale_[u.first + c] = system.length_scale;
      }
    for (const MappedBody& body : system.map.bodies)
      for (int i = 0; i < body.map->size(); ++i) scale_[body.first + i] = body.map->scale(i, system.length_scale);
    for (const Slider& slider : system.sliders) {
      const VectorUnknowns& u = system.map.unknowns[slider.vector];
      for (int c = 0; c < u.count; ++c) scale_[u.first + c] = system.length_scale;
    }
    driven_.assign(system.vectors(), 0);
    for (const DrivenDirection& driven : system.map.driven) driven_[driven.vector] = 1;
    split();
  }

  void run() {
    evaluate(state_);
    linear_ = std::ranges::all_of(system_.rows.parts.kind, [](PartKind kind) { return kind == PartKind::linear; });
    assemble(system_.q0);
    State generic = state_;
    if (!linear_ && system_.map.bodies.empty()) perturb(generic);
    evaluate(generic);
    if (system_.map.bodies.empty()) drop(generic);
    else keep(generic);
  }

  // The start away from the reference configuration, onto c = 0.
  void begin() {
    evaluate(state_);
    assemble(system_.q_start);
  }

 private:
  // Rows that share unknowns, directly or through others.
  struct Group {
    std::vector<int> rows, columns;
  };

  void split() {
    const ConstraintJacobian& G = system_.jacobian;
    std::vector<int> parent(system_.map.size);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    for (int r = 0; r < system_.row_count(); ++r)
      for (int e = G.row_start[r] + 1; e < G.row_start[r + 1]; ++e)
        parent[root(G.column[e])] = root(G.column[G.row_start[r]]);
    // What a body is made of comes first, then constraints, then joints as the user gave them: later ones go first.
    order_.resize(system_.row_count());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](int i, int j) { return priority(i) < priority(j); });
    std::vector<int> group_of(system_.map.size, -1);
    local_.assign(system_.map.size, -1);
    for (int r : order_) {
      if (G.row_start[r] == G.row_start[r + 1]) {
        void_.push_back(r);
        continue;
      }
      int& g = group_of[root(G.column[G.row_start[r]])];
      if (g < 0) {
        g = static_cast<int>(groups_.size());
        groups_.emplace_back();
      }
      groups_[g].rows.push_back(r);
      for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e)
        if (local_[G.column[e]] < 0) {
          local_[G.column[e]] = static_cast<int>(groups_[g].columns.size());
          groups_[g].columns.push_back(G.column[e]);
        }
    }
  }
  std::pair<int, int> priority(int row) const {
    const ConstraintOwner& owner = system_.owners[system_.rows.owner[row]];
    const int kind = owner.kind == ConstraintOwner::Kind::body ? 0 : owner.kind == ConstraintOwner::Kind::constraint;
    return {owner.kind == ConstraintOwner::Kind::joint ? 2 : kind, owner.index};
  }

  // c and G, scaled.
  void evaluate(const State& state) {
    evaluate_constraints(system_, state, work_);
    const ConstraintJacobian& G = system_.jacobian;
    system_.settling_operations += 4.0 * static_cast<double>(work_.G.size());
    length_.assign(system_.rows.size(), 0.0);
    for (int r = 0; r < system_.row_count(); ++r) {
      for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) {
        work_.G[e] *= scale_[G.column[e]];
        length_[r] += work_.G[e] * work_.G[e];
      }
      length_[r] = std::sqrt(length_[r]);
      if (!(length_[r] > 1e-14 * system_.length_scale)) continue;
      work_.c[r] /= length_[r];
      for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) work_.G[e] /= length_[r];
    }
  }
  SparseRows rows_of(const Group& group) const {
    const ConstraintJacobian& G = system_.jacobian;
    SparseRows m;
    m.columns = static_cast<int>(group.columns.size());
    for (int r : group.rows) {
      for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) {
        m.column.push_back(local_[G.column[e]]);
        m.value.push_back(work_.G[e]);
      }
      m.row_start.push_back(static_cast<std::int32_t>(m.column.size()));
    }
    return m;
  }
  double worst(const Group& group) const {
    double most = 0;
    for (int r : group.rows) most = std::max(most, std::abs(work_.c[r]));
    return most;
  }

  // factor x of a group's unknowns, unscaled, into those of all.
  void put(const Group& group, const std::vector<double>& x, double factor, std::vector<double>& dz) const {
    for (std::size_t k = 0; k < group.columns.size(); ++k)
      dz[group.columns[k]] = factor * scale_[group.columns[k]] * x[k];
  }

  void move(const std::vector<double>& dz, State& state) {
    system_.map.prolong(state.slots, dz, 1, state.q);
    system_.map.update(state.q, state.slots);
    system_.settling_operations += 2.0 * static_cast<double>(state.q.size());
  }

  struct Projection {
    bool converged = false;        // the independent rows hold
    std::vector<int> unsatisfied;  // dependent rows that do not
  };

  // Onto c = 0, all groups at once.
  Projection project(State& state) {
    Projection result;
    std::vector<double> dz(system_.map.size, 0.0);
    for (int iteration = 0; iteration < 30; ++iteration) {
      evaluate(state);
      double moved = 0;
      std::fill(dz.begin(), dz.end(), 0.0);
      result = {true, {}};
      for (const Group& group : groups_) {
        const double most = worst(group);
        if (most < 1e-13) continue;
        const SparseRows rows = rows_of(group);
        const RowRank rank(rows, std::clamp(30 * most, 1e-9, 1e-2));
        system_.settling_operations += rank.operations();
        std::vector<double> b(group.rows.size());
        for (std::size_t k = 0; k < b.size(); ++k) {
          b[k] = -work_.c[group.rows[k]];
          if (std::abs(b[k]) < consistent) continue;
          if (rank.is_dependent(static_cast<int>(k))) result.unsatisfied.push_back(group.rows[k]);
          else result.converged = false;
        }
        const std::vector<double> x = rank.shortest(b);
        put(group, x, 1, dz);
        for (double change : x) moved = std::max(moved, std::abs(change));
      }
      if (!(moved < 10)) return {false, result.unsatisfied};  // ran away
      move(dz, state);
      if (result.converged && moved < 1e-12) break;
    }
    return result;
  }

  // `start`: the coordinates that state_ began with.
  void assemble(std::vector<double>& start) {
    check_void();
    double most = 0;
    int first = -1;
    for (int r = 0; r < system_.row_count(); ++r)
      if (std::abs(work_.c[r]) > most) {
        most = std::abs(work_.c[r]);
        first = r;
      }
    if (most < consistent) return;
    const double gap = most * length_[first];
    const State before = state_;
    const Projection projection = project(state_);
    evaluate(state_);
    if (!projection.unsatisfied.empty() && projection.converged) contradiction(projection.unsatisfied.front());
    double moved = 0;
    for (int v = 0; v < system_.vectors(); ++v)
      for (int m = 0; m < 3; ++m)
        moved = std::max(moved, std::abs(state_.q[3ul * v + m] - before.q[3ul * v + m]) / size_of(v));
    if (!projection.converged || !(moved <= largest_correction)) {
      std::string others;
      if (!projection.converged) {
        std::set<int> owners;
        for (int r = 0; r < system_.row_count(); ++r)
          if (std::abs(work_.c[r]) > consistent && system_.rows.owner[r] != system_.rows.owner[first])
            owners.insert(system_.rows.owner[r]);
        for (int o : owners) others += (others.empty() ? ", together with " : " and ") + system_.owners[o].text;
      }
      throw InputError(
          where(first),
          text_of(first) + " does not hold at the start: it is off by " + number_text(gap) + others +
              (projection.converged
                   ? ", and meeting it would move a body by " + number_text(moved * system_.length_scale) +
                         " m (at most " + number_text(largest_correction * system_.length_scale) + " m is corrected)"
                   : ", and no position nearby meets all constraints") +
              "; correct the positions in the model");
    }
    for (std::size_t i = 0; i < state_.q.size(); ++i) start[i] += state_.q[i] - before.q[i];
  }
  double size_of(int vector) const {
    const VectorUnknowns& u = system_.map.unknowns[vector];
    return u.count > 0 ? scale_[u.first] : system_.length_scale;
  }
  const Where& where(int row) const { return where_of(system_, system_.rows.owner[row]); }
  std::string text_of(int row) const { return system_.owners[system_.rows.owner[row]].text; }

  // Rows without unknowns: what they act on is held by others or driven, so c follows from the time alone.
  void check_void() const {
    if (void_.empty()) return;
    const double tolerance = void_tolerance();
    for (int r : void_)
      if (std::abs(work_.c[r]) > tolerance)
        throw InputError(where(r), text_of(r) + " cannot hold: everything it acts on is held by " + holders(r) +
                                       ", and it is off by " + number_text(std::abs(work_.c[r])) +
                                       " at the start; remove it or move a body");
    std::vector<int> moving;
    std::ranges::copy_if(void_, std::back_inserter(moving), [&](int r) { return is_moved(r); });
    if (moving.empty()) return;
    State state = state_;
    for (const double t : sample_times()) {
      state.t = t;
      system_.map.follow(system_.q0, t, t, state.q, state.v, state.a);
      for (int r : moving)
        if (const double off = std::abs(constraint_gap(system_.rows, r, state)); !(off <= tolerance))
          throw InputError(where(r), text_of(r) + " contradicts " + holders(r) +
                                         ": everything it acts on is held there, and at t = " +
                                         fmt::format("{:.4g} s it is off by {:.4g}", t, off) +
                                         "; remove one of them, or let it move as they do");
    }
  }
  double void_tolerance() const { return 1e-9 * std::max(1.0, system_.length_scale); }
  // Who holds what a row acts on: "joint 'weld' and constraint 'root'".
  std::string holders(int row) const {
    std::set<int> vectors;
    system_.rows.parts.for_vectors(row, [&](int v) {
      vectors.insert(v);
      for_masters(system_, v, [&](int master, double) { vectors.insert(master); });
    });
    std::string list;
    for (const ConstraintOwner& owner : system_.owners) {
      if (&owner == &system_.owners[system_.rows.owner[row]]) continue;
      if (std::any_of(owner.vectors.begin(), owner.vectors.end(), [&](int v) { return vectors.count(v) > 0; }))
        list += (list.empty() ? "" : " and ") + owner.text;
    }
    return list.empty() ? "others" : list;
  }
  // Times of the run at which drives are compared: rows of tables and their middles, and times spread evenly, in step
  // with no period that a user would give. What happens between them the run sees (System::implied).
  std::vector<double> sample_times() const {
    const double duration = end_of(system_.model.analysis);
    constexpr double golden = 0.6180339887498949;
    std::vector<double> times{0};
    for (int i = 1; i <= samples; ++i) times.push_back(duration * (i * golden - std::floor(i * golden)));
    const auto add_rows = [&](const Signal& signal) {
      if (!signal.table()) return;
      const std::vector<double>& rows = signal.table()->times();
      for (std::size_t k = 0; k < rows.size(); ++k)
        for (const double t : {rows[k], 0.5 * (rows[k] + rows[std::min(k + 1, rows.size() - 1)])})
          if (t > 0 && t <= duration) times.push_back(t);
    };
    for (const Signal& target : system_.rows.target) add_rows(target);
    for (const DrivenDirection& driven : system_.map.driven) add_rows(driven.displacement);
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }

  // Does the row follow a drive, its own or that of what it acts on?
  bool is_moved(int row) const {
    if (!system_.rows.target[row].is_constant()) return true;
    bool moved = false;
    system_.rows.parts.for_vectors(
        row, [&](int v) { for_masters(system_, v, [&](int master, double) { moved = moved || driven_[master]; }); });
    return moved;
  }

  // Row r depends on others and does not hold: who are they?
  [[noreturn]] void contradiction(int row) const {
    for (const Group& group : groups_) {
      const auto found = std::find(group.rows.begin(), group.rows.end(), row);
      if (found == group.rows.end()) continue;
      const SparseRows rows = rows_of(group);
      const RowRank rank(rows, rank_tolerance);
      throw InputError(where(row), names(rank, group, static_cast<int>(found - group.rows.begin())) +
                                       " contradict each other: they are off by " +
                                       number_text(std::abs(work_.c[row]) * length_[row]) +
                                       " where they depend on each other; remove one of them or change its numbers");
    }
    throw InvariantError("a row without a group");
  }
  // "joint 'a' and joint 'b'": owners of a dependent row and of those it depends on, joints and constraints before
  // bodies.
  std::string names(const RowRank& rank, const Group& group, int k) const {
    std::set<int> owners{system_.rows.owner[group.rows[k]]};
    if (rank.is_dependent(k)) {
      const std::vector<double> y = rank.combination(k);
      for (std::size_t i = 0; i < y.size(); ++i)
        if (std::abs(y[i]) > no_part) owners.insert(system_.rows.owner[group.rows[i]]);
    }
    std::string list;
    for (const bool bodies : {false, true})
      for (int o : owners)
        if ((system_.owners[o].kind == ConstraintOwner::Kind::body) == bodies && (!bodies || owners.size() <= 2))
          list += (list.empty() ? "" : " and ") + system_.owners[o].text;
    return list;
  }

  // To a generic point of the manifold near the start.
  void perturb(State& generic) {
    evaluate(state_);
    std::mt19937 random(12345);
    const auto uniform = [&] { return 2.0 * (random() / 4294967295.0) - 1.0; };
    std::vector<std::vector<double>> directions;
    for (const Group& group : groups_) {
      std::vector<double>& d = directions.emplace_back(group.columns.size());
      for (double& x : d) x = uniform();
      const SparseRows rows = rows_of(group);
      const RowRank rank(rows, 1e-9);
      system_.settling_operations += rank.operations();
      for (int pass = 0; pass < 2; ++pass) {
        std::vector<double> b(group.rows.size(), 0.0);
        for (int r = 0; r < rows.rows(); ++r)
          for (int e = rows.row_start[r]; e < rows.row_start[r + 1]; ++e) b[r] += rows.value[e] * d[rows.column[e]];
        const std::vector<double> x = rank.shortest(b);
        for (std::size_t k = 0; k < x.size(); ++k) d[k] -= x[k];
      }
      double most = 0;
      for (double x : d) most = std::max(most, std::abs(x));
      for (double& x : d) x = most > 1e-8 ? x / most : 0;  // nothing moves
    }
    std::vector<double> dz(system_.map.size, 0.0);
    for (double step = perturbation; step > 1e-5; step *= 0.25) {
      generic = state_;
      for (std::size_t g = 0; g < groups_.size(); ++g) put(groups_[g], directions[g], step, dz);
      move(dz, generic);
      const Projection projection = project(generic);
      if (projection.converged && projection.unsatisfied.empty()) return;
    }
    generic = state_;
  }

  // A dropped row that is moved, or follows from rows that are.
  struct Implied {
    int row = 0;
    std::vector<std::pair<int, double>> of;  // rows that it follows from, with their parts in it
    std::string owners;
    double allowed = 0;  // |c|; 0: nothing moves here
  };

  void drop(const State& generic) {
    std::vector<char> gone(system_.rows.size(), 0);
    std::vector<Implied> implied = void_rows(gone);
    for (const Group& group : groups_) {
      const SparseRows rows = rows_of(group);
      const RowRank rank(rows, rank_tolerance);
      system_.settling_operations += rank.operations();
      for (int k : rank.dependent()) {
        const int r = group.rows[k];
        gone[r] = 1;
        if (Implied row = implied_row(rank, group, k); row.allowed > 0) implied.push_back(std::move(row));
        const int owner = kind(r) == ConstraintOwner::Kind::body ? last_joint_at(r) : system_.rows.owner[r];
        if (owner >= 0) ++system_.owners[owner].redundant;
      }
    }
    check_rates(implied, generic, sample_times());
    leave_out(gone, implied);
  }
  // Half steps take rows that depend on each other (delassus.h): which of them could go changes as bodies turn. They
  // must not contradict each other, as far as the start tells: directions and drives belong together only there.
  void keep(const State& start) {
    std::vector<Implied> dependent;
    const auto moves = [](const Signal& target) { return !target.is_constant(); };
    const bool driven = !system_.map.driven.empty() || std::ranges::any_of(system_.rows.target, moves);
    for (const Group& group : driven ? groups_ : std::vector<Group>{}) {
      const SparseRows rows = rows_of(group);
      const RowRank rank(rows, rank_tolerance);
      system_.settling_operations += rank.operations();
      for (int k : rank.dependent())
        if (Implied row = implied_row(rank, group, k); row.allowed > 0) dependent.push_back(std::move(row));
    }
    check_rates(dependent, start, {0, early * end_of(system_.model.analysis)});
    std::vector<char> gone(system_.rows.size(), 0);
    leave_out(gone, void_rows(gone));
  }
  // Rows that nothing free moves; those that drives move are looked at in the run.
  std::vector<Implied> void_rows(std::vector<char>& gone) {
    std::vector<Implied> implied;
    for (int r : void_) {
      gone[r] = 1;
      if (is_moved(r)) implied.push_back({r, {}, text_of(r) + " and " + holders(r), void_tolerance()});
      if (kind(r) == ConstraintOwner::Kind::joint) ++system_.owners[system_.rows.owner[r]].redundant;
    }
    return implied;
  }
  void leave_out(const std::vector<char>& gone, const std::vector<Implied>& implied) {
    std::vector<ConstraintRow> kept, watched;
    for (const Implied& one : implied) {
      watched.push_back(equations_.rows[one.row]);
      system_.implied.allowed.push_back(one.allowed);
      system_.implied.owners.push_back(one.owners);
    }
    system_.implied.rows = ConstraintRows(watched);
    for (std::size_t r = 0; r < gone.size(); ++r)
      if (!gone[r]) kept.push_back(std::move(equations_.rows[r]));
    equations_.rows = std::move(kept);
    set_rows(system_, equations_.rows);
  }
  ConstraintOwner::Kind kind(int row) const { return system_.owners[system_.rows.owner[row]].kind; }

  // A body's own row can only depend on others because joints were eliminated; the last of those that meet it.
  int last_joint_at(int row) const {
    std::set<int> vectors;
    system_.rows.parts.for_vectors(
        row, [&](int v) { for_masters(system_, v, [&](int master, double) { vectors.insert(master); }); });
    int last = -1;
    for (const Tie& tie : equations_.ties) {
      if (system_.owners[tie.owner].kind != ConstraintOwner::Kind::joint) continue;
      for (int v : tie.x.vectors)
        for_masters(system_, v, [&](int master, double) {
          if (vectors.count(master)) last = std::max(last, tie.owner);
        });
    }
    return last;
  }

  Implied implied_row(const RowRank& rank, const Group& group, int k) const {
    const int row = group.rows[k];
    Implied implied{row, {}, {}, 0};
    const std::vector<double> y = rank.combination(k);
    bool moved = is_moved(row);
    for (std::size_t j = 0; j < y.size(); ++j) {
      if (y[j] == 0) continue;
      implied.of.emplace_back(group.rows[j], y[j]);
      moved = moved || (std::abs(y[j]) > no_part && is_moved(group.rows[j]));
    }
    if (!moved) return {row, {}, {}, 0};
    implied.owners = names(rank, group, k);
    implied.allowed = allowed_gap * std::max(length_[row], 1e-14 * system_.length_scale);
    return implied;
  }

  // A dropped row must move as those do that imply it, drives and driven directions among them: dc/dt of what is
  // prescribed, the unknowns at rest.
  void check_rates(const std::vector<Implied>& implied, const State& at, const std::vector<double>& times) const {
    if (std::ranges::all_of(implied, [](const Implied& row) { return row.of.empty(); })) return;
    State state = at;
    std::vector<double> q = state.q, a = state.a;
    std::vector<double> off(implied.size()), size(implied.size());
    for (const double t : times) {
      state.t = t;
      std::fill(state.v.begin(), state.v.end(), 0.0);
      system_.map.follow(system_.q0, t, t, q, state.v, a);
      const auto scaled = [&](int row) {
        return constraint_rate(system_, state, row) / std::max(length_[row], 1e-300);
      };
      for (std::size_t i = 0; i < implied.size(); ++i) {
        if (implied[i].of.empty()) continue;
        double sum = scaled(implied[i].row);
        size[i] = std::max(size[i], std::abs(sum));
        for (const auto& [row, part] : implied[i].of) {
          const double rate = part * scaled(row);
          sum -= rate;
          size[i] = std::max(size[i], std::abs(rate));
        }
        off[i] = std::max(off[i], std::abs(sum));
      }
    }
    for (std::size_t i = 0; i < implied.size(); ++i)
      if (off[i] > 1e-6 * size[i])
        throw InputError(
            where(implied[i].row),
            implied[i].owners +
                " contradict each other: they prescribe the same motion in different ways; remove one of them");
  }

  System& system_;
  ConstraintEquations& equations_;
  Workspace work_;
  State state_;
  bool linear_ = false;
  std::vector<double> scale_;   // [unknown]
  std::vector<double> length_;  // [row] of the scaled gradient
  std::vector<int> order_, void_, local_;
  std::vector<char> driven_;  // [vector] some direction of it
  std::vector<Group> groups_;
};

}  // namespace

void settle_start(System& system, ConstraintEquations& equations) {
  if (!system.rows.empty()) Settling(system, equations).begin();
}

void settle_rows(System& system, ConstraintEquations& equations) {
  if (!system.rows.empty()) Settling(system, equations).run();
  for (const ConstraintOwner& owner : system.owners)
    if (owner.kind == ConstraintOwner::Kind::joint && owner.redundant > 0)
      system.warnings.push_back(owner.text + " repeats " + std::to_string(owner.redundant) + " equation" +
                                (owner.redundant == 1 ? "" : "s") + " of others; " +
                                (owner.redundant == 1 ? "it was" : "they were") + " dropped");
}

}  // namespace lithe
