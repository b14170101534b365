// What holds at faces of the domain, as the parameters say it, and what follows for each variable.
#pragma once
#include <cereus/parameter.hpp>

#include "kernels.hpp"
namespace Incompressible {
enum class Condition { wall, slip, inflow, outflow };
inline constexpr const char* face_names[] = {"x_lower", "x_upper", "y_lower", "y_upper", "z_lower", "z_upper"};
inline constexpr const char* condition_names[] = {"wall", "slip", "inflow", "outflow"};

Condition condition_at(const Parameters&, int face);
// The velocity of a wall, or of what flows in, along an axis, as a formula of x, y, z and t.
std::string velocity_at(const Parameters&, int face, int component);
// In the words of Boundary.overrides; of the velocity along an axis, or of the pressure.
std::string velocity_condition(const Parameters&, int component, int face);
std::string pressure_condition(const Parameters&, int face);
// Faces, of those of the first `dim` axes, where one of these holds.
Faces faces_with(const Parameters&, std::initializer_list<Condition>, int dim = 3);
// Of which the velocity across changes in time or from place to place.
bool inflow_changes(const Parameters&);
// Mistakes: a formula that is none, a velocity where none is asked for, nowhere for an inflow to go.
void check_faces(const Parameters&);
}  // namespace Incompressible
