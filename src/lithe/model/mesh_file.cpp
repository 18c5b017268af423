#include "lithe/model/mesh_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>

#include "lithe/base/digest.h"
#include "lithe/model/mesh_file_text.h"

namespace lithe {

std::string mesh_file_path(const FileMesh& mesh, const Where& said) { return path_beside(mesh.path, said); }

std::string path_beside(const std::string& name, const Where& said) {
  const std::filesystem::path path(name), folder = std::filesystem::path(said.file).parent_path();
  return path.is_absolute() || folder.empty() ? name : (folder / path).string();
}

std::string file_digest(const std::string& path) {
  const std::string text = load_text(path);
  return fmt::format("{:016x}", xxh64(text.data(), text.size()));
}

MeshFile read_mesh_file(const std::string& path) {
  MeshFile file;
  file.path = path;
  const Where here{path, 0, ""};
  try {
    const std::string text = load_text(path);
    const std::string_view start = trimmed(std::string_view(text).substr(0, 4096));
    const std::string ending = upper(std::filesystem::path(path).extension().string());
    if (start.empty()) throw InputError(here, "the file is empty; save the mesh again");
    if (start.starts_with("$")) read_gmsh(text, file);
    else if (start.starts_with("*")) read_abaqus(text, file);
    else if (ending == ".MSH")
      throw InputError(here, "a mesh of gmsh begins with $MeshFormat, this file with " +
                                 in_quotes(start.substr(0, 20)) +
                                 "; save it from gmsh as .msh, format 2.2 or 4.1, ASCII");
    else if (ending == ".INP")
      throw InputError(here, "a deck of Abaqus or CalculiX begins with a keyword such as *HEADING, this file with " +
                                 in_quotes(start.substr(0, 20)));
    else
      throw InputError(here, "this is no mesh that is read: gmsh .msh (2.2 and 4.1, ASCII), Abaqus or CalculiX .inp");
  } catch (const std::bad_alloc&) {
    throw InputError(here, "the mesh does not fit into memory; use a coarser one, or a machine with more");
  }
  std::size_t cells = 0;
  for (const MeshFile::Part& part : file.parts) cells += part.cells.size();
  if (cells == 0) throw InputError(here, "the file has no elements with a volume; mesh the volumes and save it again");
  return file;
}

const MeshFile& MeshFiles::file(const std::string& path) {
  const auto found = files_.find(path);
  return found != files_.end() ? found->second : files_.emplace(path, read_mesh_file(path)).first->second;
}

const SurfaceFile& MeshFiles::surface(const std::string& path, bool open) {
  const std::pair key(path, open);
  if (const auto found = surfaces_.find(key); found != surfaces_.end()) return found->second;
  SurfaceFile file{read_triangles(path), {}};
  check_closed(file.surface, open);
  if (!open) file.moments = moments(file.surface);
  return surfaces_.emplace(key, std::move(file)).first->second;
}

void MeshFiles::check(const std::string& path, const std::string& kept_digest, const Where& said) {
  if (!std::filesystem::exists(path))
    throw InputError(said, "there is no such mesh file: '" + path + "'; check 'path'");
  if (!kept_digest.empty() && kept_digest != digest(path))
    throw InputError(said, "the mesh file '" + path + "' is not the one that was used before (its digest is " +
                               digest(path) + ", not " + kept_digest +
                               "); bring the old file back, or remove 'digest' for a new run");
}

const std::string& MeshFiles::digest(const std::string& path) {
  const auto found = digests_.find(path);
  return found != digests_.end() ? found->second : digests_.emplace(path, file_digest(path)).first->second;
}

}  // namespace lithe
