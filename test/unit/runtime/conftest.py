"""Settings of the property tests: the same examples in every run, few and small."""

from hypothesis import settings

settings.register_profile("diablo", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("diablo")
