// What holds at faces of the domain, as the parameters say it, and what follows for each variable.
#pragma once
#include <cereus/grid.hpp>
#include <cereus/parameter.hpp>

#include "kernels.hpp"
namespace Incompressible {
enum class Condition { wall, slip, inflow, outflow };
inline constexpr const char* face_names[] = {"x_lower", "x_upper", "y_lower", "y_upper", "z_lower", "z_upper"};
inline constexpr const char* condition_names[] = {"wall", "slip", "inflow", "outflow"};

// A formula of x, y and z, and of t where `in_time`; a mistake in it becomes a problem of the parameter.
Steps formula(
    const Parameters&, const std::string& key, const std::string& text, Problems& problems, bool in_time = false);

// In the words of Boundary.overrides; of the velocity along an axis, or of the pressure.
std::string velocity_condition(const Parameters&, int component, int face);
std::string pressure_condition(const Parameters&, int face);
// The largest |u| + |v| + |w| of a face's velocity, of those that are numbers.
double fastest_face(const Parameters&);
// Mistakes: a formula that is none, a velocity where none is asked for, nowhere for an inflow to go. `grid`: the
// parameters of the driver.
void check_faces(const Parameters&, const Parameters& grid, Problems&);
// A mistake: cells that are solid where fluid flows in.
void check_obstacle(const Parameters&, const Patch&, int dim, Problems&);
}  // namespace Incompressible
