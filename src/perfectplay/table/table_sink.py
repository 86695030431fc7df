"""The stream of a table while its game is solved: its file may fail without the solution being lost."""

from typing import IO

from perfectplay.table.table_file import Sink


class TableSink:
    """Forwards all writes until one fails; then `fault` is the reason, and there is no table."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.fault: OSError | None = None

    def write(self, data: bytes, /) -> None:
        """Writes the data."""
        if self.fault is None:
            try:
                self.file.write(data)
            except OSError as fault:
                self.fault = fault


def fault_of(sink: Sink | None) -> OSError | None:
    """Why the table could not be written, or None."""
    return sink.fault if isinstance(sink, TableSink) else None
