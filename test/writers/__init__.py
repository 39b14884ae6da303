"""Writes the files of the repository that are made of the sources: pages and compiled loops."""
