# The suite that programs are measured with is no package: its modules stand beside its command.
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "bench"))
