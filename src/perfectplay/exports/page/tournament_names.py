"""The names of players as the report of a tournament shows them: long ones shortened, with places to break a line."""

import re
from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

LONGEST, HEAD = 24, 9
"""Characters of a name that is shown, and those from its beginning if it is shortened."""
NEAR_HEAD, BEFORE = 6, 10
"""The same for names that are alike at both ends, and the characters before those that differ."""
BREAKS = re.compile(r"(?<=[\s/:,=_…])(?=.)|(?<=\w-)(?=.)")
"""Where a line may break."""


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Each name as tables show it: long ones without a part in which they do not differ from others."""
    found = {name: without_middle(name) for name in names}
    for change in (around_difference, numbered):
        for text in {*found.values()}:
            alike = [name for name in names if found[name] == text]
            if len(alike) > 1:
                found |= {name: change(name, alike) for name in alike if len(name) > LONGEST}
    return found


def without_middle(name: str) -> str:
    """The beginning and the end of a long name."""
    return name if len(name) <= LONGEST else f"{name[:HEAD]}…{name[HEAD + 1 - LONGEST :]}"


def around_difference(name: str, alike: Iterable[str]) -> str:
    """The beginning of a long name, and the part that tells it from the others."""
    differs = max(alike_until(name, other) for other in alike if other != name)
    start = max(NEAR_HEAD, differs - BEFORE)
    return f"{name[:NEAR_HEAD]}…{name[start : start + LONGEST - NEAR_HEAD - 2]}…"


def alike_until(one: str, other: str) -> int:
    """The first place where two names differ."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def numbered(name: str, alike: Sequence[str]) -> str:
    """A name of many that are alike everywhere else."""
    return f"{without_middle(name)} ({alike.index(name) + 1})"


def label(name: str, short: str) -> Markup:
    """A name as a page shows it; screen readers get all of it."""
    if name == short:
        return breakable(name)
    shown = Markup('<span aria-hidden="true">{}</span><span class="unseen">{}</span>')
    return shown.format(breakable(short), name)


def breakable(text: str) -> Markup:
    """The text with places at which a line may break."""
    whole = Markup('<span class="whole">{}</span>')  # browsers would break --depth after a hyphen
    return Markup("<wbr>").join(
        whole.format(part) if part.startswith("-") else escape(part) for part in BREAKS.split(text)
    )
