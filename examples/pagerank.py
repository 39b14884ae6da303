"""PageRank of the packages of a Linux distribution, with the program in pagerank.diablo."""

import csv
import gzip
from pathlib import Path
from time import perf_counter

import numpy as np

import diablo

HERE = Path(__file__).parent

with gzip.open(HERE / "data" / "debian_subgraph.csv.gz", "rt") as file:
    edges = np.array(list(csv.reader(file)), dtype=np.int64)
with gzip.open(HERE / "data" / "debian_subgraph_packages.txt.gz", "rt") as file:
    names = file.read().split()

program = diablo.compile(HERE / "pagerank.diablo", engine="local")
started = perf_counter()
ranks = program(G=edges, N=len(names)).to_numpy()
seconds = perf_counter() - started

print(f"PageRank of {len(names)} packages with {len(edges)} dependencies, {seconds:.2f} s:")
for place, package in enumerate(np.argsort(-ranks)[:10], 1):
    print(f"{place:3}. {names[package]:<20} {ranks[package]:.6f}")
