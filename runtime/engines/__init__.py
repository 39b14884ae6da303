"""The engines: threads of this process, and Spark."""
