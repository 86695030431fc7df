"""The systems that perfectplay runs on: those with signals, process numbers and file locks as POSIX has them."""

import os
import sys

from perfectplay.words import WrongSystem


def check_system() -> None:
    """Raises WrongSystem elsewhere: there, to ask whether a process runs would end it, and no file can be locked."""
    if os.name != "posix":
        raise WrongSystem(f"perfectplay runs on Linux and macOS, and this is {sys.platform}; on Windows it runs in WSL")
