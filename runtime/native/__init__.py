"""Machine code in this process: when it is used, how it is made, and the threads that run it."""
