"""Lists of records that read well when they are printed, and that a notebook shows as a table."""

from typing import TypeVar

from perfectplay.words import in_notebook

T = TypeVar("T")


class Listed(list[T]):
    """A list whose str() has a line for each record; in all else it is a list."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    _repr_html_ = in_notebook
