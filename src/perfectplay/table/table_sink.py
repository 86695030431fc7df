"""Where a table is written to while its game is solved: a file that may fail without the solution being lost."""

from typing import IO

from perfectplay.table.table_file import Sink


class TableSink:
    """Passes on what is written until that fails once; then `fault` says why, and there is no table."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.fault: OSError | None = None

    def write(self, data: bytes, /) -> None:
        """Takes the data."""
        if self.fault is None:
            try:
                self.file.write(data)
            except OSError as fault:
                self.fault = fault


def fault_of(sink: Sink | None) -> OSError | None:
    """Why the table could not be written, if that is so."""
    return sink.fault if isinstance(sink, TableSink) else None
