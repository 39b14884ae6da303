/* NAS MG as NPB's program is written, in C with OpenMP, for bench/nas.py to compare with: ghost
   cells around every grid, and the sums of four neighbours shared along a row.

       gcc -O3 -march=native -fopenmp -o nas_mg nas_mg.c -lm
       OMP_NUM_THREADS=2 ./nas_mg POINTS LEVELS ITERATIONS C0 C1 C2 REPEATS

   POINTS holds 20 times i3, i2, i1 and the charge (four 64-bit integers). Printed are the norm of
   the residual, and the seconds of the shortest run: by the clock, and of all processors. */

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 12
#define MAXIMUM 1030
static const double A0 = -8.0 / 3.0, A2 = 1.0 / 6.0, A3 = 1.0 / 12.0;
static double C0, C1, C2, *U[MOST], *R[MOST], *V;

#define AT(g, i, j, k) (g)[((size_t)(i) * m + (j)) * m + (k)]

/* Ghost cells of a grid of m points with them. */
static void wrap(double *g, int m) {
#pragma omp parallel
    {
#pragma omp for
        for (int i = 1; i < m - 1; i++) {
            for (int j = 1; j < m - 1; j++) {
                AT(g, i, j, 0) = AT(g, i, j, m - 2);
                AT(g, i, j, m - 1) = AT(g, i, j, 1);
            }
            memcpy(&AT(g, i, 0, 0), &AT(g, i, m - 2, 0), m * sizeof(double));
            memcpy(&AT(g, i, m - 1, 0), &AT(g, i, 1, 0), m * sizeof(double));
        }
#pragma omp for
        for (int j = 0; j < m; j++) {
            memcpy(&AT(g, 0, j, 0), &AT(g, m - 2, j, 0), m * sizeof(double));
            memcpy(&AT(g, m - 1, j, 0), &AT(g, 1, j, 0), m * sizeof(double));
        }
    }
}

static void zero(double *g, int m) {
#pragma omp parallel for
    for (int i = 0; i < m; i++) memset(&AT(g, i, 0, 0), 0, (size_t)m * m * sizeof(double));
}

static void resid(const double *u, const double *v, double *r, int m) {
#pragma omp parallel for
    for (int i = 1; i < m - 1; i++) {
        double s[MAXIMUM], t[MAXIMUM];
        for (int j = 1; j < m - 1; j++) {
            for (int k = 0; k < m; k++) {
                s[k] = AT(u, i, j - 1, k) + AT(u, i, j + 1, k) + AT(u, i - 1, j, k)
                       + AT(u, i + 1, j, k);
                t[k] = AT(u, i - 1, j - 1, k) + AT(u, i - 1, j + 1, k) + AT(u, i + 1, j - 1, k)
                       + AT(u, i + 1, j + 1, k);
            }
            for (int k = 1; k < m - 1; k++)
                AT(r, i, j, k) = AT(v, i, j, k) - A0 * AT(u, i, j, k)
                                 - A2 * (t[k] + s[k - 1] + s[k + 1]) - A3 * (t[k - 1] + t[k + 1]);
        }
    }
    wrap(r, m);
}

static void psinv(const double *r, double *u, int m) {
#pragma omp parallel for
    for (int i = 1; i < m - 1; i++) {
        double s[MAXIMUM], t[MAXIMUM];
        for (int j = 1; j < m - 1; j++) {
            for (int k = 0; k < m; k++) {
                s[k] = AT(r, i, j - 1, k) + AT(r, i, j + 1, k) + AT(r, i - 1, j, k)
                       + AT(r, i + 1, j, k);
                t[k] = AT(r, i - 1, j - 1, k) + AT(r, i - 1, j + 1, k) + AT(r, i + 1, j - 1, k)
                       + AT(r, i + 1, j + 1, k);
            }
            for (int k = 1; k < m - 1; k++)
                AT(u, i, j, k) += C0 * AT(r, i, j, k)
                                  + C1 * (AT(r, i, j, k - 1) + AT(r, i, j, k + 1) + s[k])
                                  + C2 * (t[k] + s[k - 1] + s[k + 1]);
        }
    }
    wrap(u, m);
}

static void restricted(const double *r, int n, double *s, int m) {
#define FINE(i, j, k) r[((size_t)(i) * n + (j)) * n + (k)]
#pragma omp parallel for
    for (int i = 1; i < m - 1; i++) {
        double x[MAXIMUM], y[MAXIMUM];
        int p = 2 * i;
        for (int j = 1; j < m - 1; j++) {
            int q = 2 * j;
            for (int k = 1; k < n; k++) {
                x[k] = FINE(p, q - 1, k) + FINE(p, q + 1, k) + FINE(p - 1, q, k)
                       + FINE(p + 1, q, k);
                y[k] = FINE(p - 1, q - 1, k) + FINE(p - 1, q + 1, k) + FINE(p + 1, q - 1, k)
                       + FINE(p + 1, q + 1, k);
            }
            for (int k = 1; k < m - 1; k++) {
                int o = 2 * k;
                AT(s, i, j, k) = 0.5 * FINE(p, q, o)
                                 + 0.25 * (FINE(p, q, o - 1) + FINE(p, q, o + 1) + x[o])
                                 + 0.125 * (x[o - 1] + x[o + 1] + y[o])
                                 + 0.0625 * (y[o - 1] + y[o + 1]);
            }
        }
    }
    wrap(s, m);
}

/* Adds the coarse grid z of m points, means in between, to u of n. */
static void interpolated(const double *z, int m, double *u, int n) {
#undef FINE
#define FINE(i, j, k) u[((size_t)(i) * n + (j)) * n + (k)]
#pragma omp parallel for
    for (int i = 0; i < m - 1; i++) {
        double x[MAXIMUM], y[MAXIMUM], w[MAXIMUM];
        for (int j = 0; j < m - 1; j++) {
            for (int k = 0; k < m; k++) {
                x[k] = AT(z, i, j + 1, k) + AT(z, i, j, k);
                y[k] = AT(z, i + 1, j, k) + AT(z, i, j, k);
                w[k] = AT(z, i + 1, j + 1, k) + AT(z, i + 1, j, k) + x[k];
            }
            for (int k = 0; k < m - 1; k++) {
                FINE(2 * i, 2 * j, 2 * k) += AT(z, i, j, k);
                FINE(2 * i, 2 * j, 2 * k + 1) += 0.5 * (AT(z, i, j, k + 1) + AT(z, i, j, k));
                FINE(2 * i, 2 * j + 1, 2 * k) += 0.5 * x[k];
                FINE(2 * i, 2 * j + 1, 2 * k + 1) += 0.25 * (x[k] + x[k + 1]);
                FINE(2 * i + 1, 2 * j, 2 * k) += 0.5 * y[k];
                FINE(2 * i + 1, 2 * j, 2 * k + 1) += 0.25 * (y[k] + y[k + 1]);
                FINE(2 * i + 1, 2 * j + 1, 2 * k) += 0.25 * w[k];
                FINE(2 * i + 1, 2 * j + 1, 2 * k + 1) += 0.125 * (w[k] + w[k + 1]);
            }
        }
    }
}

static double norm(const double *r, int m) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < m - 1; k++) sum += AT(r, i, j, k) * AT(r, i, j, k);
    return sqrt(sum / pow(m - 2, 3));
}

static double solve(int levels, int iterations) {
    int top = levels, n = (1 << levels) + 2;
    zero(U[top], n);
    resid(U[top], V, R[top], n);
    for (int step = 0; step < iterations; step++) {
        for (int l = top; l > 1; l--) restricted(R[l], (1 << l) + 2, R[l - 1], (1 << (l - 1)) + 2);
        zero(U[1], 4);
        psinv(R[1], U[1], 4);
        for (int l = 2; l <= top; l++) {
            int m = (1 << l) + 2;
            if (l < top) zero(U[l], m);
            interpolated(U[l - 1], (1 << (l - 1)) + 2, U[l], m);
            resid(U[l], l < top ? R[l] : V, R[l], m);
            psinv(R[l], U[l], m);
        }
        resid(U[top], V, R[top], n);
    }
    return norm(R[top], n);
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int count, char **words) {
    FILE *file = count == 8 ? fopen(words[1], "rb") : NULL;
    if (file == NULL) return 2;
    int levels = atoi(words[2]), iterations = atoi(words[3]), repeats = atoi(words[7]);
    C0 = atof(words[4]), C1 = atof(words[5]), C2 = atof(words[6]);
    for (int l = 1; l <= levels; l++) {
        size_t size = pow((1 << l) + 2, 3);
        U[l] = calloc(size, sizeof(double));
        R[l] = calloc(size, sizeof(double));
    }
    int m = (1 << levels) + 2;
    V = calloc((size_t)m * m * m, sizeof(double));
    int64_t point[4];
    while (fread(point, sizeof(int64_t), 4, file) == 4)
        AT(V, point[0] + 1, point[1] + 1, point[2] + 1) = point[3];
    wrap(V, m);
    double clock = INFINITY, processors = INFINITY, found = 0;
    for (int k = 0; k <= repeats; k++) {
        double wall = seconds(CLOCK_MONOTONIC), all = seconds(CLOCK_PROCESS_CPUTIME_ID);
        found = solve(levels, iterations);
        if (k == 0) continue; /* The first run touches the memory. */
        clock = fmin(clock, seconds(CLOCK_MONOTONIC) - wall);
        processors = fmin(processors, seconds(CLOCK_PROCESS_CPUTIME_ID) - all);
    }
    printf("%.17g %.9f %.9f\n", found, clock, processors);
    return 0;
}
