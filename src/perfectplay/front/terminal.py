"""The console of commands that print in colours."""

from rich.console import Console


class Terminal(Console):
    """A console that ends the program as any other command ends when the reader of its output has gone."""

    def on_broken_pipe(self) -> None:
        """Leaves the error to the program, where rich would end it with exit code 1."""
        raise BrokenPipeError


def plain_terminal() -> Terminal:
    """A console that prints texts as they are."""
    return Terminal(highlight=False, markup=False)
