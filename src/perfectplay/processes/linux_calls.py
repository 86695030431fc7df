"""Calls of the Linux kernel that Python does not offer; on other systems nothing happens."""

import os
import sys

LINUX = sys.platform.startswith("linux")
SET_DEATH_SIGNAL, SET_SECUREBITS, SET_CHILD_SUBREAPER, SET_NO_NEW_PRIVILEGES = 1, 28, 36, 38
NEW_MOUNTS, NEW_IPC, NEW_USERS, NEW_PROCESSES, NEW_NETWORK = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
PRIVATE, RECURSIVE = 1 << 18, 1 << 14
NO_SUID, NO_DEVICES, NO_EXEC = 2, 4, 8
MOUNT_SETATTR, HERE, WHOLE_TREE, READ_ONLY = 442, -100, 0x8000, 1
NO_ROOT_POWERS = 0b11
"""Root gets no capabilities by running a program, and this cannot be undone."""


def call(name: str, *arguments: int | bytes | None) -> None:
    """Calls a function of the C library; raises OSError with the function's name if it fails."""
    import ctypes  # only where it is wanted: it takes some milliseconds

    converted = [ctypes.c_ulong(value) if isinstance(value, int) else value for value in arguments]
    if ctypes.CDLL(None, use_errno=True)[name](*converted) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def adopt_orphans() -> None:
    """Makes descendants whose parents end children of this process, instead of those of the first process."""
    if LINUX:
        call("prctl", SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_after_parent(number: int) -> None:
    """Sends this process the signal when its parent ends."""
    if LINUX:
        call("prctl", SET_DEATH_SIGNAL, number, 0, 0, 0)


def make_read_only() -> None:
    """Makes all files read-only in this process's own view of them."""
    attributes = READ_ONLY.to_bytes(8, sys.byteorder) + bytes(24)
    call("syscall", MOUNT_SETATTR, HERE, b"/", WHOLE_TREE, attributes, len(attributes))
