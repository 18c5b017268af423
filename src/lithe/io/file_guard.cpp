#include "lithe/io/file_guard.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lithe/base/error.h"
#include "lithe/base/hdf5.h"
#include "lithe/io/trace.h"

namespace lithe {

namespace {

namespace fs = std::filesystem;

const char* name_of(FileKind kind) {
  switch (kind) {
    case FileKind::result:
      return "a result of lithe";
    case FileKind::companion:
      return "an XDMF companion of lithe";
    case FileKind::checkpoint:
      return "a checkpoint of lithe";
    case FileKind::summary:
      return "a summary of lithe";
    case FileKind::trace:
      return "a trace of lithe";
    case FileKind::figures:
      return "a report of lithe bench";
    case FileKind::picture:
      break;
  }
  return "a picture of lithe";
}

std::string head(const std::string& path, std::size_t size) {
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return text;
}

std::string tail(const std::string& path, std::size_t size) {
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  file.seekg(-static_cast<std::streamoff>(size), std::ios::end);
  return file.read(text.data(), static_cast<std::streamsize>(size)) ? text : "";
}

constexpr const char* hdf5_mark = "\x89HDF\r\n\x1a\n";

bool has_attribute(const std::string& path, const char* name) {
  if (!head(path, 8).starts_with(hdf5_mark)) return false;
  const hdf5::Quiet quiet;
  try {
    const hdf5::Handle file = hdf5::open_to_read(path);
    return H5Aexists(file, name) > 0 && H5Aexists(file, "lithe") > 0;
  } catch (const RunError&) {
    return false;
  }
}

bool is_our_json(const std::string& path, FileKind kind) {
  std::ifstream file(path);
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object()) return false;
  const auto has = [](const nlohmann::json& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
      if (!object.contains(key)) return false;
    return true;
  };
  if (kind == FileKind::summary) return has(json, {"name", "version", "ok", "reason", "message", "result"});
  return json.contains("machine") && has(json["machine"], {"cpu", "cpu_features", "simd_width", "commit"});
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;  // device and inode
  // A relative path of which nothing exists stays relative otherwise.
  const fs::path one = fs::weakly_canonical(fs::absolute(a), error);
  if (error) return a == b;
  const fs::path other = fs::weakly_canonical(fs::absolute(b), error);
  return error ? a == b : one == other;
}

}  // namespace

bool is_ours(const std::string& path, FileKind kind) {
  switch (kind) {
    case FileKind::result:
      return has_attribute(path, "format");
    case FileKind::checkpoint:
      // By its last line alone: HDF5 is to see none that was not checked.
      return head(path, 8).starts_with(hdf5_mark) && tail(path, 29).starts_with("lithe xxh64 ");
    case FileKind::companion: {
      // The heading, and that it tells of bodies in an HDF5 file.
      const std::string text = head(path, 4096);
      return text.starts_with("<?xml version=\"1.0\" ?>\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n") &&
             (text.find("<!-- lithe ") != std::string::npos || text.find(":/bodies/") != std::string::npos);
    }
    case FileKind::trace:
      return head(path, trace_heading.size()) == trace_heading;
    case FileKind::summary:
    case FileKind::figures:
      return is_our_json(path, kind);
    case FileKind::picture:
      return head(path, std::size_t{1} << 26).find("made by lithe.plot") != std::string::npos;
  }
  return false;
}

void check_place(const PlannedFile& file, bool force, const std::string& remedy) {
  struct stat status {};
  const std::string here = file.asked + ": this is ";
  if (stat(file.path.c_str(), &status) != 0) {
    if (errno == ENAMETOOLONG) throw InputError(file.asked + ": the name is too long for a file; give a shorter one");
    // Nothing there; what else is wrong, writing will tell. A link that leads nowhere is somebody's all the same.
    if (lstat(file.path.c_str(), &status) == 0 && S_ISLNK(status.st_mode) && !force)
      throw InputError(here + "a link to '" + fs::read_symlink(file.path).string() +
                       "', which is not there; give another name, remove the link" +
                       (remedy.empty() ? "" : ", or replace it with " + remedy));
    return;
  }
  if (S_ISDIR(status.st_mode)) throw InputError(here + "a folder; name a file in it");
  if (!S_ISREG(status.st_mode)) {
    const char* what = S_ISFIFO(status.st_mode) ? "a pipe" : S_ISSOCK(status.st_mode) ? "a socket" : "a device";
    throw InputError(here + what + ", which lithe neither replaces nor writes through; name a regular file" +
                     (file.kind == FileKind::summary ? ", or '-' for the standard output" : ""));
  }
  if (status.st_size == 0 || force || is_ours(file.path, file.kind)) return;
  throw InputError(file.asked + ": this file exists and is not " + name_of(file.kind) +
                   " (or it is damaged); give another name, remove it" +
                   (remedy.empty() ? "" : ", or replace it with " + remedy));
}

void check_distinct(const std::vector<PlannedFile>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const std::string& input : inputs)
      if (same_file(outputs[i].path, input))
        throw InputError(outputs[i].asked + ": this is the model itself (" + input + "); give another name");
    for (std::size_t j = 0; j < i; ++j)
      if (same_file(outputs[i].path, outputs[j].path))
        throw InputError(outputs[i].asked + ": this is the same file as " + outputs[j].asked + "; give another name");
  }
}

void check_folder(const PlannedFile& file) {
  fs::path folder = fs::path(file.path).parent_path();
  if (folder.empty()) folder = ".";
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw InputError(file.asked + " cannot be written: folder '" + folder.string() + "': " + std::strerror(errno));
}

}  // namespace lithe
