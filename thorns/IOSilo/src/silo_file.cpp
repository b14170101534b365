#include "silo_file.hpp"

#include <cereus/error.hpp>
#include <hdf5_file.hpp>

namespace IOSilo {
namespace {
std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> list;
  for (const auto& t : texts) list.push_back(t.c_str());
  return list;
}
}  // namespace

File::File(std::filesystem::path path, int iteration, double time)
    : path_(std::move(path)),
      written_(path_.string() + ".tmp"),
      iteration_(iteration),
      time_(time),
      single_time_(static_cast<float>(time)),
      moment_(DBMakeOptlist(4), DBFreeOptlist),
      file_(nullptr, DBClose) {
  DBShowErrors(DB_NONE, nullptr);
  DBAddOption(moment_.get(), DBOPT_CYCLE, &iteration_);
  DBAddOption(moment_.get(), DBOPT_TIME, &single_time_);
  DBAddOption(moment_.get(), DBOPT_DTIME, &time_);
  const IOHDF5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  IOHDF5::use_safe_driver(access, fate_);
  hid_t id = access;
  const std::unique_ptr<DBoptlist, int (*)(DBoptlist*)> how(DBMakeOptlist(1), DBFreeOptlist);
  DBAddOption(how.get(), DBOPT_H5_FAPL_HID_T, &id);
  const int set = DBRegisterFileOptionsSet(how.get());
  file_.reset(DBCreate(written_.c_str(), DB_CLOBBER, DB_LOCAL, "Cereus", DB_HDF5_OPTS(set)));
  DBUnregisterFileOptionsSet(set);
  if (!file_) fail();
}

File::~File() {
  if (file_) discard();
}

void File::discard() {
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(written_, ignored);
}

void File::fail() {
  const std::string silo = DBErrString();
  discard();
  throw cereus::Failure(
      "cannot write " + path_.string() + ": " + (fate_.error.empty() ? "Silo: " + silo : fate_.error));
}

void File::check(int status) {
  if (status < 0 || !fate_.error.empty()) fail();
}

void File::finish() {
  check(DBClose(file_.release()));
  std::error_code error;
  std::filesystem::rename(written_, path_, error);
  if (error) fate_.error = error.message(), fail();
}

void File::enter(const std::string& folder) {
  if (DBSetDir(file_.get(), folder.c_str()) == 0) return;
  check(DBMkDirP(file_.get(), folder.c_str()));
  check(DBSetDir(file_.get(), folder.c_str()));
}

void File::text(const std::string& name, const std::string& content) {
  const int n = static_cast<int>(content.size());
  check(DBWrite(file_.get(), name.c_str(), content.data(), &n, 1, DB_CHAR));
}

void File::mesh(const std::string& name, const std::vector<std::vector<double>>& nodes) {
  static const char* const axes[] = {"x", "y", "z"};
  std::vector<const void*> along;
  std::vector<int> extent;
  for (const auto& n : nodes) along.push_back(n.data()), extent.push_back(static_cast<int>(n.size()));
  dim_ = static_cast<int>(nodes.size());
  check(DBPutQuadmesh(
      file_.get(), name.c_str(), axes, along.data(), extent.data(), dim_, DB_DOUBLE, DB_COLLINEAR, moment_.get()));
}

void File::variable(const std::string& name, const std::string& mesh, const Values& values, bool on_nodes) {
  check(DBPutQuadvar1(file_.get(), name.c_str(), mesh.c_str(), values.data, values.extent.data(), dim_, nullptr, 0,
      values.type, on_nodes ? DB_NODECENT : DB_ZONECENT, moment_.get()));
}

void File::whole_mesh(const std::string& name, const std::vector<std::string>& parts) {
  check(DBPutMultimesh(file_.get(), name.c_str(), static_cast<int>(parts.size()), pointers(parts).data(),
      std::vector(parts.size(), int{DB_QUAD_RECT}).data(), moment_.get()));
}

void File::whole_variable(const std::string& name, const std::string& mesh, const std::vector<std::string>& parts) {
  DBAddOption(moment_.get(), DBOPT_MMESH_NAME, const_cast<char*>(mesh.c_str()));
  const int status = DBPutMultivar(file_.get(), name.c_str(), static_cast<int>(parts.size()), pointers(parts).data(),
      std::vector(parts.size(), int{DB_QUADVAR}).data(), moment_.get());
  DBClearOption(moment_.get(), DBOPT_MMESH_NAME);
  check(status);
}
}  // namespace IOSilo
