/* Solves ∇·(a ∇φ) − b φ = ρ at centres of cells by hypre: conjugate gradients, with PFMG as preconditioner (Ashby and Falgout, Nucl. Sci. Eng.
   124 (1996) 145; Debian: libhypre-dev). For tests/run/hypre.py.

     hypre NX NY NZ HX HY HZ CONDITIONS TOLERANCE TIMES < ρ, a, b > φ     doubles, x fastest; prints cycles and seconds of the fastest solve

   CONDITIONS: a letter a face, x lower first: d value 0, n no slope, p periodic. Between cells the harmonic mean of a holds. */
#include <HYPRE_struct_ls.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int n[3];
static int index_of(int i, int j, int k) { return i + n[0] * (j + n[1] * k); }

/* Entries of −L in a row: centre, then the neighbours at −x, +x, −y, … */
static void row(const double* a, const double* b, const double* h, const char* faces, const int* at, double* entry) {
  const int here = index_of(at[0], at[1], at[2]);
  entry[0] = b[here];
  for (int f = 0; f < 6; ++f) {
    int to[3] = {at[0], at[1], at[2]};
    const int d = f / 2;
    to[d] += f % 2 ? 1 : -1;
    const int outside = to[d] < 0 || to[d] >= n[d];
    const double other = a[index_of((to[0] + n[0]) % n[0], (to[1] + n[1]) % n[1], (to[2] + n[2]) % n[2])];
    const double w = (outside && faces[f] == 'd'   ? 2 * a[here]
                      : outside && faces[f] == 'n' ? 0
                      : a[here] + other > 0        ? 2 * a[here] * other / (a[here] + other)
                                                   : 0) /
                     (h[d] * h[d]);
    entry[0] += w;
    entry[1 + f] = outside && faces[f] != 'p' ? 0 : -w;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double h[3] = {atof(argv[4]), atof(argv[5]), atof(argv[6])};
  const char* faces = argv[7];
  int first[3] = {0, 0, 0}, last[3], periodic[3], cycles = 0, shape[7] = {0, 1, 2, 3, 4, 5, 6};
  for (int d = 0; d < 3; ++d) n[d] = atoi(argv[1 + d]), last[d] = n[d] - 1, periodic[d] = faces[2 * d] == 'p' ? n[d] : 0;
  const int points = n[0] * n[1] * n[2];
  double *field = malloc(3 * points * sizeof(double)), *entries = malloc(7 * points * sizeof(double));
  if (fread(field, sizeof(double), 3 * points, stdin) != 3 * (size_t)points) return 1;
  HYPRE_StructGrid grid;
  HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
  HYPRE_StructGridSetExtents(grid, first, last), HYPRE_StructGridSetPeriodic(grid, periodic);
  HYPRE_StructGridAssemble(grid);
  HYPRE_StructStencil stencil;
  HYPRE_StructStencilCreate(3, 7, &stencil);
  for (int f = -1; f < 6; ++f) {
    int to[3] = {0, 0, 0};
    if (f >= 0) to[f / 2] = f % 2 ? 1 : -1;
    HYPRE_StructStencilSetElement(stencil, f + 1, to);
  }
  HYPRE_StructMatrix matrix;
  HYPRE_StructVector right, phi;
  HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &matrix), HYPRE_StructMatrixInitialize(matrix);
  for (int p = 0; p < points; ++p) {
    const int at[3] = {p % n[0], p / n[0] % n[1], p / n[0] / n[1]};
    row(field + points, field + 2 * points, h, faces, at, entries + 7 * p), field[p] = -field[p];
  }
  HYPRE_StructMatrixSetBoxValues(matrix, first, last, 7, shape, entries), HYPRE_StructMatrixAssemble(matrix);
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &right), HYPRE_StructVectorInitialize(right);
  HYPRE_StructVectorSetBoxValues(right, first, last, field), HYPRE_StructVectorAssemble(right);
  HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &phi), HYPRE_StructVectorInitialize(phi), HYPRE_StructVectorAssemble(phi);
  HYPRE_StructSolver cg, multigrid;
  HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &multigrid);
  HYPRE_StructPFMGSetMaxIter(multigrid, 1), HYPRE_StructPFMGSetTol(multigrid, 0), HYPRE_StructPFMGSetZeroGuess(multigrid);
  HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg);
  HYPRE_StructPCGSetTol(cg, atof(argv[8])), HYPRE_StructPCGSetTwoNorm(cg, 1), HYPRE_StructPCGSetMaxIter(cg, 100);
  HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, multigrid);
  double best = 1e9, start = MPI_Wtime();
  HYPRE_StructPCGSetup(cg, matrix, right, phi);
  const double setup = MPI_Wtime() - start;
  for (int t = 0; t < atoi(argv[9]); ++t) {
    HYPRE_StructVectorSetConstantValues(phi, 0), start = MPI_Wtime();
    HYPRE_StructPCGSolve(cg, matrix, right, phi);
    if (MPI_Wtime() - start < best) best = MPI_Wtime() - start;
  }
  HYPRE_StructPCGGetNumIterations(cg, &cycles);
  fprintf(stderr, "%d cycles, %.4f s, setup %.4f s\n", cycles, best, setup);
  HYPRE_StructVectorGetBoxValues(phi, first, last, field);
  fwrite(field, sizeof(double), points, stdout);
  return MPI_Finalize();
}
