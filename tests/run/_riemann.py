"""The exact solution of Riemann's problem for an ideal gas: Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, chapter 4."""
import math


class Riemann:
    """Of left and right (ρ, u, p): star values, and samples of self-similar solution at ξ = x/t. Vacuum may appear."""

    def __init__(self, left, right, gamma=1.4):
        self.left, self.right, self.g = left, right, gamma
        g = gamma
        self.al, self.ar = (math.sqrt(g * q[2] / q[0]) for q in (left, right))
        self.vacuum = 2 / (g - 1) * (self.al + self.ar) <= right[1] - left[1]
        if self.vacuum:
            return
        # Bisection of f_L(p) + f_R(p) + Δu, which grows with p; on a logarithmic scale.
        low, high = 1e-300, 1e3 * (left[2] + right[2] + max(left[0], right[0]) * (right[1] - left[1]) ** 2)
        for _ in range(2000):
            p = math.sqrt(low) * math.sqrt(high)
            if self.branch(p, left, self.al) + self.branch(p, right, self.ar) + right[1] - left[1] > 0:
                high = p
            else:
                low = p
            if high / low < 1 + 1e-15:
                break
        self.p = p
        self.u = 0.5 * (left[1] + right[1] + self.branch(p, right, self.ar) - self.branch(p, left, self.al))

    def branch(self, p, q, a):
        g, (rho, _, pk) = self.g, q
        if p > pk:
            return (p - pk) * math.sqrt(2 / ((g + 1) * rho) / (p + pk * (g - 1) / (g + 1)))
        return 2 * a / (g - 1) * ((p / pk) ** ((g - 1) / (2 * g)) - 1)

    def side(self, xi, q, a, sign):
        """Left of the contact (sign 1), or its mirror image."""
        g, (rho, u, p) = self.g, (q[0], sign * q[1], q[2])
        xi *= sign
        fan = lambda: (2 / (g + 1) + (g - 1) / ((g + 1) * a) * (u - xi))
        if self.vacuum:
            if xi < u - a:
                return q
            if xi >= u + 2 * a / (g - 1):
                return 0.0, sign * xi, 0.0
            return rho * fan() ** (2 / (g - 1)), sign * 2 / (g + 1) * (a + (g - 1) / 2 * u + xi), p * fan() ** (2 * g / (g - 1))
        star = sign * self.u
        if self.p > p:
            if xi < u - a * math.sqrt((g + 1) / (2 * g) * self.p / p + (g - 1) / (2 * g)):
                return q
            r, k = self.p / p, (g - 1) / (g + 1)
            return rho * (r + k) / (k * r + 1), self.u, self.p
        if xi < u - a:
            return q
        if xi > star - a * (self.p / p) ** ((g - 1) / (2 * g)):
            return rho * (self.p / p) ** (1 / g), self.u, self.p
        return rho * fan() ** (2 / (g - 1)), sign * 2 / (g + 1) * (a + (g - 1) / 2 * u + xi), p * fan() ** (2 * g / (g - 1))

    def at(self, xi):
        if self.vacuum:
            middle = 0.5 * (self.left[1] + 2 * self.al / (self.g - 1) + self.right[1] - 2 * self.ar / (self.g - 1))
        else:
            middle = self.u
        return self.side(xi, self.left, self.al, 1) if xi < middle else self.side(xi, self.right, self.ar, -1)

    def fastest(self, frame=0):
        """The largest speed of a wave, either way, as seen from a frame that moves."""
        g, speeds = self.g, []
        for (_, u, p), a, sign in ((self.left, self.al, -1), (self.right, self.ar, 1)):
            shock = not self.vacuum and self.p > p
            speeds += [u + sign * a * (((g + 1) / (2 * g) * self.p / p + (g - 1) / (2 * g)) ** 0.5 if shock else 1)]
            speeds += [u - sign * 2 * a / (g - 1)] if self.vacuum else [self.u]
        return max(abs(s - frame) for s in speeds)

    def narrowest(self):
        """By what speed the closer of the left and right waves leaves the contact; infinite where there is vacuum instead."""
        if self.vacuum:
            return math.inf
        g, gaps = self.g, []
        for q, a, sign in ((self.left, self.al, -1), (self.right, self.ar, 1)):
            r = self.p / q[2]
            wave = q[1] + sign * a * ((g + 1) / (2 * g) * r + (g - 1) / (2 * g)) ** 0.5 if r > 1 else self.u + sign * a * r ** ((g - 1) / (2 * g))
            gaps.append(abs(wave - self.u))
        return min(gaps)

    def mean(self, lower, upper, time, jump=0.5, samples=40):
        """The mean density of a cell."""
        return sum(self.at((lower + (n + 0.5) / samples * (upper - lower) - jump) / time)[0] for n in range(samples)) / samples
