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


def say(console: Console, text: str, style: str | None = None) -> None:
    """Prints a text: wrapped at words on a terminal, and as it is where a program reads it, however long."""
    console.print(text, style=style, soft_wrap=not console.is_terminal)
