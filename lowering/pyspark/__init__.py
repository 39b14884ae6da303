"""From the Spark level to a readable PySpark program."""
