// MUMPS, sequential: multifrontal L L^T (SYM=1), L D L^T with 1x1 and 2x2 pivots (SYM=2) or L U (SYM=0), with scaling
// and threshold pivoting where the kind needs it. P. R. Amestoy, I. S. Duff, J. Koster, J.-Y. L'Excellent, SIAM J.
// Matrix Anal. Appl. 23 (2001). MUMPS takes memory at each factorisation and each solve. It counts entries with 64
// bits.
//
// The sequential MUMPS brings functions of its own under the names of MPI's. The library is loaded when it is first
// needed, into a scope of its own (RTLD_LOCAL): nobody else in the program sees these names, and MUMPS sees them before
// those of a real MPI that the program may have (RTLD_DEEPBIND).
#include <dlfcn.h>
#include <dmumps_c.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"

namespace lithe {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LITHE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LITHE_SANITIZED
#endif
#endif

using Call = void (*)(DMUMPS_STRUC_C*);

Call load_mumps() {
#ifdef LITHE_SANITIZED
  constexpr int scope = RTLD_LOCAL;  // sanitizers forbid the other flag
#else
  constexpr int scope = RTLD_LOCAL | RTLD_DEEPBIND;
#endif
  void* library = dlopen(LITHE_MUMPS_LIBRARY, RTLD_NOW | scope);
  void* call = library ? dlsym(library, "dmumps_c") : nullptr;
  if (!call)
    throw RunError(std::string("MUMPS cannot be loaded: ") + dlerror() +
                   "; install it (Debian: libmumps-seq-dev) or use another linear solver");
  return reinterpret_cast<Call>(call);
}

class Mumps final : public LinearSolver {
 public:
  Mumps(const SolverInfo& info, const SolverOptions& options) : info_(info), options_(options) {}
  ~Mumps() override { end(); }

  const char* name() const override { return "mumps"; }
  double factor_flops() const override { return usable_ ? flops_ : -1; }
  double factor_nonzeros() const override { return usable_ ? nonzeros_ : -1; }
  int index_bits() const override { return 64; }

  void analyse(const SparsePattern& pattern) override {
    end();
    kind_ = kind_of(info_, options_, pattern);
    pattern_ = pattern;
    list_entries();
    // MUMPS would see this in its analysis too, and lose some memory with it.
    structurally_singular_ = structural_rank(pattern, options_.narrow) < pattern.size;
    if (structurally_singular_) return;
    start();
    mumps_.n = pattern.size;
    mumps_.nnz = static_cast<MUMPS_INT8>(values_.size());
    mumps_.irn = rows_.data();
    mumps_.jcn = columns_.data();
    mumps_.a = values_.data();
    choose_ordering();
    call(1);
    if (mumps_.infog[0] < 0) throw RunError("MUMPS could not analyse the matrix: " + error());
    memory_reserve_ = control(14);
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT((started_ || structurally_singular_) && values.size() == pattern_.nonzeros());
    FactorReport report;
    report.usable = usable_ = false;
    if (const int column = column_not_finite(pattern_, values); column >= 0) {
      report.reason = FactorReport::Reason::not_finite;
      report.column = column;
      return report;
    }
    if (structurally_singular_) {
      report.reason = FactorReport::Reason::singular;
      return report;
    }
    for (std::size_t p = 0; p < source_.size(); ++p) values_[p] = values[source_[p]];
    // The estimate of the analysis may be too small once pivots are delayed: -8, -9 ask for more room, in percent.
    control(14) = memory_reserve_;
    for (int attempt = 0; attempt < 8; ++attempt) {
      call(2);
      if (mumps_.infog[0] != -8 && mumps_.infog[0] != -9) break;
      control(14) = memory_reserve_ = 2 * memory_reserve_ + 20;
    }
    const int status = mumps_.infog[0];
    if (status < 0) {
      report.reason = status == -10                                   ? FactorReport::Reason::singular
                      : status == -13 || status == -8 || status == -9 ? FactorReport::Reason::out_of_memory
                                                                      : FactorReport::Reason::failed;
      return report;
    }
    flops_ = mumps_.rinfog[2];
    nonzeros_ = mumps_.infog[28] < 0 ? -1e6 * mumps_.infog[28] : mumps_.infog[28];
    // Pivots of the scaled matrix: its columns have entries of the order of one.
    const double least = mumps_.rinfog[18], most = mumps_.rinfog[20];
    report.smallest_pivot = least;
    report.reciprocal_condition = most > 0 ? least / most : 0;
    if (kind_ != MatrixKind::unsymmetric) report.negative_pivots = mumps_.infog[11];
    if (kind_ == MatrixKind::positive_definite && report.negative_pivots > 0) {
      report.reason = FactorReport::Reason::not_positive_definite;
      return report;
    }
    if (report.smallest_pivot < singular_pivot) report.reason = FactorReport::Reason::singular;
    report.usable = usable_ = true;
    return report;
  }

 protected:
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    LITHE_INVARIANT(usable_ && b.size() == static_cast<std::size_t>(pattern_.size) * request.columns);
    if (&b != &x) x.assign(b.begin(), b.end());
    mumps_.rhs = x.data();
    mumps_.nrhs = request.columns;
    mumps_.lrhs = pattern_.size;
    control(9) = request.operation == SolveRequest::Operation::transposed ? 0 : 1;
    call(3);
    return {mumps_.infog[0] >= 0 && all_finite(x) ? SolveReport::Reason::done : SolveReport::Reason::not_finite};
  }

 private:
  MUMPS_INT& control(int number) { return mumps_.icntl[number - 1]; }  // as in the manual

  void call(int job) {
    static std::mutex one_at_a_time;  // its Fortran keeps state of its own
    const std::lock_guard lock(one_at_a_time);
    static const Call dmumps = load_mumps();
    mumps_.job = job;
    dmumps(&mumps_);
  }

  std::string error() const {
    return "status " + std::to_string(mumps_.infog[0]) + ", " + std::to_string(mumps_.infog[1]);
  }

  void start() {
    mumps_ = DMUMPS_STRUC_C{};
    mumps_.comm_fortran = -987654;  // the one communicator that there is
    mumps_.par = 1;
    mumps_.sym = kind_ == MatrixKind::positive_definite ? 1 : kind_ == MatrixKind::symmetric_indefinite ? 2 : 0;
    call(-1);
    if (mumps_.infog[0] < 0) throw RunError("MUMPS could not start: " + error());
    started_ = true;
    control(1) = control(2) = control(3) = -1;  // never prints
    control(4) = 0;
    control(6) = kind_ == MatrixKind::unsymmetric ? 1 : 0;  // analysis sees the pattern alone
    control(28) = 1;                                        // sequential analysis
  }

  void end() {
    if (started_) call(-2);
    started_ = usable_ = false;
  }

  // Coordinates count from one. A symmetric kind takes one triangle, whatever is stored.
  void list_entries() {
    rows_.clear();
    columns_.clear();
    source_.clear();
    const bool symmetric = kind_ != MatrixKind::unsymmetric;
    for (int j = 0; j < pattern_.size; ++j)
      for (int p = pattern_.column_start[j]; p < pattern_.column_start[j + 1]; ++p) {
        const int i = pattern_.row[p];
        const auto put = [&](int row, int column) {
          rows_.push_back(row + 1);
          columns_.push_back(column + 1);
          source_.push_back(p);
        };
        if (i <= j || !symmetric) put(i, j);
        if (pattern_.symmetric && !symmetric && i != j) put(j, i);
      }
    values_.assign(source_.size(), 0.0);
  }

  // METIS by our own call: MUMPS may be built without it and would then silently take another one. PORD ends the
  // program on some small matrices, so it is not offered, and "automatic" is decided here by MUMPS's own rule: AMD for
  // small matrices, nested dissection for large ones.
  void choose_ordering() {
    Ordering ordering = options_.ordering;
    if (ordering == Ordering::automatic) ordering = pattern_.size > 10000 ? Ordering::metis : Ordering::amd;
    switch (ordering) {
      case Ordering::amf:
        control(7) = 2;
        return;
      case Ordering::scotch:
        control(7) = 3;
        return;
      case Ordering::natural:
      case Ordering::metis: {
        const std::vector<int> order = elimination_order(pattern_, ordering, options_.narrow);
        given_.resize(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) given_[order[k]] = static_cast<int>(k) + 1;
        control(7) = 1;
        mumps_.perm_in = given_.data();
        return;
      }
      default:
        control(7) = 0;  // AMD
    }
  }

  const SingleThreadedBlas one_thread_;
  const SolverInfo& info_;
  const SolverOptions options_;
  MatrixKind kind_ = MatrixKind::unsymmetric;
  DMUMPS_STRUC_C mumps_{};
  bool started_ = false, usable_ = false, structurally_singular_ = false;
  SparsePattern pattern_;
  std::vector<MUMPS_INT> rows_, columns_, given_;
  std::vector<std::int32_t> source_;  // [entries given to MUMPS] place in the caller's values
  std::vector<double> values_;
  int memory_reserve_ = 20;  // percent
  double flops_ = -1, nonzeros_ = -1;
};

}  // namespace

std::unique_ptr<LinearSolver> make_mumps(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<Mumps>(info, options);
}

}  // namespace lithe
