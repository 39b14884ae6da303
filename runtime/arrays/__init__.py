"""Tiles of arrays, dense and sparse."""
