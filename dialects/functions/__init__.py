"""The scalar functions of the language: one row of one table says all there is to know of each."""
