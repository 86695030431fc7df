"""The sandbox of a program on Linux: namespaces of its own without network, in which all files are read-only."""

import os
from pathlib import Path

from perfectplay.processes.linux_calls import (
    NEW_IPC,
    NEW_MOUNTS,
    NEW_NETWORK,
    NEW_PROCESSES,
    NEW_USERS,
    NO_DEVICES,
    NO_EXEC,
    NO_ROOT_POWERS,
    NO_SUID,
    PRIVATE,
    RECURSIVE,
    SET_NO_NEW_PRIVILEGES,
    SET_SECUREBITS,
    call,
    make_read_only,
)

SCRATCH = "/dev/shm"
"""Where a program may write: an empty folder in memory, which is gone when it ends."""
SCRATCH_SIZE = b"size=64m,mode=1777"


def enter_namespaces() -> None:
    """Moves this process into namespaces of its own; its next child is the first process of a process namespace."""
    user, group = os.getuid(), os.getgid()
    call("unshare", NEW_USERS | NEW_MOUNTS | NEW_NETWORK | NEW_IPC | NEW_PROCESSES)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def close_files() -> None:
    """Shows this process namespace only its own processes, and makes all files read-only but for the scratch folder."""
    call("mount", None, b"/", None, RECURSIVE | PRIVATE, None)
    call("mount", b"proc", b"/proc", b"proc", NO_SUID | NO_DEVICES | NO_EXEC, None)
    make_read_only()
    call("mount", b"tmpfs", SCRATCH.encode(), b"tmpfs", NO_SUID | NO_DEVICES, SCRATCH_SIZE)


def drop_powers() -> None:
    """Takes from the program that is run next what would let it undo the sandbox."""
    call("prctl", SET_SECUREBITS, NO_ROOT_POWERS, 0, 0, 0)
    call("prctl", SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
