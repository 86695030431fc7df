"""The supported systems: those with POSIX signals, process ids and file locks."""

import os
import sys

from perfectplay.words import WrongSystem


def check_system() -> None:
    """Raises WrongSystem on other systems: there, testing for a process would end it, and files cannot be locked."""
    if os.name != "posix":
        raise WrongSystem(f"perfectplay runs on Linux and macOS, not on {sys.platform}; on Windows, use WSL")
