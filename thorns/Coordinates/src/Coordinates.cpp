// Coordinates as grid functions: what is declared, and that they are set once, when the grid is.
#include <cereus/thorn.hpp>

#include "kernels.hpp"

namespace Coordinates {
void declare(Declaration& d) {
  d.describe("The coordinates x, y, z of the grid's points as grid functions");
  d.parameter("centring", "vertex",
      one_of(
          {{"vertex", "Coordinates::x, y, z"}, {"cell", "Coordinates::cell_x, cell_y, cell_z"}, {"both", "all six"}}),
      "Which coordinates are stored: those of vertices, of cells, or both");
  d.group<Coordinates>("coordinates", {"x", "y", "z"}, "Coordinates of vertices").not_checkpointed();
  d.group<CellCoordinates>("cell_coordinates", {"cell_x", "cell_y", "cell_z"}, "Coordinates of the centres of cells")
      .cell_centred()
      .not_checkpointed();
}

// What is not scheduled touches no group, and what nothing touches takes no memory.
void schedule(Schedule& s, const Parameters& par) {
  const std::string& centring = par.string("centring");
  if (centring != "cell") s.kernel<SetVertices>("vertices", "Sets the coordinates of vertices").at(bin::basegrid);
  if (centring != "vertex") s.kernel<SetCells>("cells", "Sets the coordinates of cells").at(bin::basegrid);
}
}  // namespace Coordinates
CEREUS_THORN(Coordinates, Coordinates::declare, Coordinates::schedule)
