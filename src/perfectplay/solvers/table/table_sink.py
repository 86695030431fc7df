"""The stream of a table while its game is solved: its file may fail without the solution being lost."""

from collections.abc import Callable
from typing import IO

from perfectplay.solvers.table.table_file import Sink


class TableSink:
    """Forwards all writes until one fails; then `fault` is the reason, and there is no table."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.fault: OSError | None = None
        self.leftovers: list[Callable[[], None]] = []
        """Each removes what a solve could be resumed from."""

    def write(self, data: bytes, /) -> None:
        """Writes the data."""
        if self.fault is None:
            try:
                self.file.write(data)
            except OSError as fault:
                self.fault = fault

    def clean_up(self) -> None:
        """Removes what is not needed any more, since the table is in its place or will never be."""
        for remove in self.leftovers:
            remove()


def after_table(sink: Sink | None, remove: Callable[[], None]) -> None:
    """Removes what a solve could be resumed from: once its table is in its place, or now if none is written."""
    if isinstance(sink, TableSink):
        sink.leftovers.append(remove)
    else:
        remove()
