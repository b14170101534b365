"""Spack's recipe: put it into a repository of your own as packages/cereus/package.py, then `spack install cereus`."""
from spack.package import *


class Cereus(CMakePackage, CudaPackage):
    """Simulations on block-structured grids, from thorns that say what they read and write."""

    license("BSD-3-Clause")

    version("main", branch="main")  # of what `git:` names in packages.yaml, or `spack develop -p CLONE cereus@main`

    variant("python", default=True, description="What reading and drawing from Python needs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("openmpi@4.1:")
    depends_on("hdf5@1.10.8: +mpi")
    depends_on("silo@4.11: +hdf5")
    depends_on("boost@1.74: +filesystem+system")
    depends_on("yaml-cpp@0.7:")
    depends_on("fmt@9:")
    depends_on("spdlog@1.10: +fmt_external")
    depends_on("nlohmann-json@3.11:")
    depends_on("cli11@2.2:")
    depends_on("cpp-httplib@0.11:")
    depends_on("xxhash@0.8:")
    depends_on("pango@1.48:")
    depends_on("libpng@1.6:")
    depends_on("zlib-api")
    depends_on("eigen@3.4:")
    with when("+python"):
        depends_on("python@3.11:", type=("build", "link", "run"))
        depends_on("py-pybind11@2.10:", type="build")
        depends_on("dlpack", type="build")
        for package in ("h5py", "matplotlib", "numpy", "pyyaml"):
            depends_on(f"py-{package}", type="run")

    # Its header alone, which Spack has no package of.
    resource(name="kissfft", git="https://github.com/mborgerding/kissfft.git", tag="131.1.0", destination="include", placement="kissfft")

    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define("CEREUS_TESTS", False),
            self.define("CEREUS_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
            self.define("CEREUS_MARCH", "x86-64-v3" if self.spec.satisfies("target=x86_64_v3:") else "x86-64"),
            self.define("KISSFFT_INCLUDE_DIR", join_path(self.stage.source_path, "include")),
        ]
        if self.spec.satisfies("+cuda"):
            arguments.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return arguments

    def test_version(self):
        """The executable finds its libraries"""
        Executable(self.prefix.bin.cereus)("list")
