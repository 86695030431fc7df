"""Certificates of several players of a game, ranked."""

from dataclasses import dataclass

from perfectplay.arena.certificate_html import class_html
from perfectplay.commands.compete.certificates import Certificate
from perfectplay.words import Brief, in_notebook


@dataclass(frozen=True)
class ClassReport(metaclass=Brief):
    """The certificates of several players of a game, the best first; `ranks` has their places, equal ones shared.

    Perfect players come first, then those that never lose, then those that lose, then those that fail; among them the
    score against a random opponent decides.
    """

    game: str
    certificates: tuple[Certificate, ...]
    ranks: tuple[int, ...]

    @property
    def perfect(self) -> bool:
        """Whether every player is perfect."""
        return all(found.perfect for found in self.certificates)

    def __bool__(self) -> bool:
        return self.perfect

    def __str__(self) -> str:
        return "\n".join(
            f"{rank}. {found.player} {found.verdict}" for rank, found in zip(self.ranks, self.certificates, strict=True)
        )

    def to_dict(self) -> dict[str, object]:
        """The report as `perfectplay certify` prints it in JSON for several players."""
        players = zip(self.ranks, self.certificates, strict=True)
        return {"game": self.game, "players": [{"rank": rank, **found.to_dict()} for rank, found in players]}

    _repr_html_ = in_notebook

    def to_html(self) -> str:
        """The report as a page of its own: the table, and each player's certificate with drawn boards."""
        rules = self.certificates[0].rules
        assert rules is not None
        return class_html(rules, self.to_dict())


def ranked(game: str, certificates: list[Certificate]) -> ClassReport:
    """The certificates in order, with their places."""
    in_order = sorted(certificates, key=lambda found: (standing(found), found.player))
    ranks: list[int] = []
    for number, found in enumerate(in_order):
        same = number > 0 and standing(found) == standing(in_order[number - 1])
        ranks.append(ranks[-1] if same else number + 1)
    return ClassReport(game, tuple(in_order), tuple(ranks))


def standing(found: Certificate) -> tuple[int, float]:
    """What certificates are ordered by, the best first."""
    if found.unusable or found.stopped:
        group = 4
    elif found.faults:
        group = 3
    else:
        group = 0 if found.plays_perfectly else 2 if found.loses else 1
    return group, -round(found.points_against_random or 0.0, 9)
