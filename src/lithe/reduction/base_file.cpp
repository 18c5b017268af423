#include "lithe/reduction/base_file.h"

#include <cstdio>
#include <cstdlib>

#include "lithe/base/hdf5.h"

namespace lithe {

namespace {

constexpr const char* format = "lithe base 1";

}  // namespace

Base read_base(const std::string& path) {
  const hdf5::Quiet quiet;
  Base base;
  try {
    const hdf5::Handle file = hdf5::open_to_read(path);
    const std::string found = hdf5::exists(file, "format") ? hdf5::read_text(file, "format") : "";
    if (found != format)
      throw RunError(found.empty() ? "it is no base; make one with 'lithe reduce'"
                                   : "its format is '" + found + "', this version reads '" + format +
                                         "'; make it again with 'lithe reduce'");
    const auto numbers = [&](const char* name) { return hdf5::read_array(hdf5::open_dataset(file, name)); };
    base.kind = hdf5::read_text(file, "kind");
    base.method = hdf5::read_text(file, "method");
    base.source = hdf5::read_text(file, "source");
    base.mesh = numbers("mesh");
    for (const double node : numbers("elements")) base.elements.push_back(static_cast<std::int32_t>(node));
    base.vectors = numbers("vectors");
    base.values = numbers("values");
    if (base.mesh.empty() || base.vectors.size() % base.mesh.size() != 0 || base.vectors.empty())
      throw RunError("its vectors do not fit its mesh");
  } catch (const RunError& error) {
    throw RunError("base '" + path + "' cannot be read: " + error.what());
  }
  return base;
}

// Under another name first: a file that is there is whole.
void write_base(const std::string& path, const Base& base) {
  const hdf5::Quiet quiet;
  const std::string part = path + ".part";
  try {
    hdf5::Handle file = hdf5::check(H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    hdf5::write_text(file, "format", format);
    hdf5::write_text(file, "kind", base.kind);
    hdf5::write_text(file, "method", base.method);
    hdf5::write_text(file, "source", base.source);
    const hsize_t vectors = base.mesh.size() / 3, modes = static_cast<hsize_t>(base.count());
    hdf5::write_array(file, "mesh", H5T_IEEE_F64LE, {vectors, 3}, base.mesh);
    hdf5::write_array(file, "elements", H5T_STD_I32LE, {base.elements.size()},
                      std::vector<double>(base.elements.begin(), base.elements.end()));
    hdf5::write_array(file, "vectors", H5T_IEEE_F64LE, {modes, vectors, 3}, base.vectors);
    hdf5::write_array(file, "values", H5T_IEEE_F64LE, {base.values.size()}, base.values);
    if (!file.close()) throw RunError(hdf5::reason());
    if (std::rename(part.c_str(), path.c_str()) != 0) throw RunError("it cannot be renamed");
  } catch (const RunError& error) {
    std::remove(part.c_str());
    throw RunError("base '" + path + "' cannot be written: " + error.what());
  }
}

}  // namespace lithe
