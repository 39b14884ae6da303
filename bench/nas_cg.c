/* The loop of NAS CG as one writes it in C with OpenMP, for bench/nas.py to compare with.

       gcc -O3 -march=native -fopenmp -o nas_cg nas_cg.c -lm
       OMP_NUM_THREADS=2 ./nas_cg MATRIX NITER SHIFT REPEATS

   MATRIX holds the rows and entries (two 64-bit integers), where the rows start (32-bit),
   the columns (32-bit) and the values (doubles). Printed are zeta, the last residual, and the
   seconds of the shortest run: by the clock, and of all processors together. */

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t n, entries;
static uint32_t *starts, *columns;
static double *values, *x, *z, *p, *q, *r;

static void *allocated(FILE *file, size_t count, size_t size) {
    void *data = malloc(count * size);
    if (data == NULL || (file != NULL && fread(data, size, count, file) != count)) {
        fprintf(stderr, "nas_cg: the matrix cannot be read\n");
        exit(1);
    }
    return data;
}

/* 25 steps of conjugate gradients for A z = x; the norm of x - A z. */
static double conjugate_gradients(void) {
    double rho = 0, d = 0, sum = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : rho)
        for (int64_t i = 0; i < n; i++) {
            z[i] = 0;
            r[i] = p[i] = x[i];
            rho += x[i] * x[i];
        }
        for (int step = 0; step < 25; step++) {
            double before = rho;
#pragma omp barrier
#pragma omp single
            d = rho = 0;
#pragma omp for reduction(+ : d)
            for (int64_t i = 0; i < n; i++) {
                double s = 0;
                for (uint32_t k = starts[i]; k < starts[i + 1]; k++)
                    s += values[k] * p[columns[k]];
                q[i] = s;
                d += p[i] * s;
            }
            double alpha = before / d;
#pragma omp for reduction(+ : rho)
            for (int64_t i = 0; i < n; i++) {
                z[i] += alpha * p[i];
                r[i] -= alpha * q[i];
                rho += r[i] * r[i];
            }
            double beta = rho / before;
#pragma omp for
            for (int64_t i = 0; i < n; i++)
                p[i] = r[i] + beta * p[i];
        }
#pragma omp for reduction(+ : sum)
        for (int64_t i = 0; i < n; i++) {
            double s = 0;
            for (uint32_t k = starts[i]; k < starts[i + 1]; k++)
                s += values[k] * z[columns[k]];
            sum += (x[i] - s) * (x[i] - s);
        }
    }
    return sqrt(sum);
}

static double power_iteration(int niter, double shift, double *rnorm) {
    double zeta = 0;
    for (int64_t i = 0; i < n; i++)
        x[i] = 1;
    for (int it = 0; it < niter; it++) {
        *rnorm = conjugate_gradients();
        double xz = 0, zz = 0;
#pragma omp parallel for reduction(+ : xz, zz)
        for (int64_t i = 0; i < n; i++) {
            xz += x[i] * z[i];
            zz += z[i] * z[i];
        }
        zeta = shift + 1 / xz;
        double scale = 1 / sqrt(zz);
#pragma omp parallel for
        for (int64_t i = 0; i < n; i++)
            x[i] = scale * z[i];
    }
    return zeta;
}

int main(int argc, char **argv) {
    FILE *file = argc == 5 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || fread(&n, 8, 1, file) != 1 || fread(&entries, 8, 1, file) != 1) {
        fprintf(stderr, "usage: nas_cg MATRIX NITER SHIFT REPEATS\n");
        return 1;
    }
    starts = allocated(file, n + 1, 4);
    columns = allocated(file, entries, 4);
    values = allocated(file, entries, 8);
    fclose(file);
    double **vectors[] = {&x, &z, &p, &q, &r};
    for (int k = 0; k < 5; k++)
        *vectors[k] = allocated(NULL, n, 8);
    double best = INFINITY, processors = INFINITY, zeta = 0, rnorm = 0;
    for (int k = atoi(argv[4]); k > 0; k--) {
        double start = omp_get_wtime();
        clock_t before = clock();
        zeta = power_iteration(atoi(argv[2]), atof(argv[3]), &rnorm);
        best = fmin(best, omp_get_wtime() - start);
        processors = fmin(processors, (double)(clock() - before) / CLOCKS_PER_SEC);
    }
    printf("%.13f %.6e %.6f %.6f\n", zeta, rnorm, best, processors);
    return 0;
}
