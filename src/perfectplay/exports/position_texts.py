"""Many positions as text: a row of the board is filled in few ways, so the text of each is made and read once."""

from perfectplay.game import Game
from perfectplay.rules.board_layout import comma, squares_by_row
from perfectplay.rules.notation import name_of, piece_pattern, pieces_on, side_letter, sides_named, spots, words_of
from perfectplay.words import Position

MOST = 1 << 16
"""The most ways to fill a row that are kept."""

Filled = tuple[str, Position | None]
"""The text of a row, and what it reads back as: None if it cannot be read."""


class PositionTexts:
    """The positions of a game with one side to move, as `show_position` writes and `read_position` reads them."""

    def __init__(self, game: Game, side: int) -> None:
        self.game, self.side, self.between = game, side, comma(game)
        self.head = f"{side_letter(game, side)}:"
        letter, _, rest = "".join(self.head.split()).partition(":")
        self.named = sides_named(game, letter) == [side] and not rest
        """Whether the text says who is to move."""
        places = spots(game, side)
        self.rows: list[tuple[list[int], int, dict[Position, Filled]]] = []
        """For each row its squares, the bits that decide what stands there, and the ways to fill it met so far."""
        for squares in squares_by_row(game):
            decisive = 0
            for square in squares:
                for mask, *_ in places[square]:
                    decisive |= mask
            self.rows.append((squares, decisive, {}))

    def written(self, position: Position) -> tuple[str, bool]:
        """The text of a position, and whether it means just this position."""
        mine, theirs = position
        texts, read_mine, read_theirs, readable = [], 0, 0, self.named
        for squares, decisive, known in self.rows:
            here = mine & decisive, theirs & decisive
            filled = known.get(here)
            if filled is None:
                if len(known) >= MOST:
                    known.clear()
                filled = known[here] = self.filled(squares, here)
            text, words = filled
            texts.append(text)
            if words is None:
                readable = False
            else:
                read_mine |= words[0]
                read_theirs |= words[1]
        return self.head + "/".join(texts), readable and read_mine == mine and read_theirs == theirs

    def filled(self, squares: list[int], here: Position) -> Filled:
        """The text of a row in a position, and what it reads back as."""
        pieces = pieces_on(self.game, here, self.side)
        text = self.between.join(name_of(self.game, pieces[square]) for square in squares)
        seen = "".join(text.split())
        names = piece_pattern(self.game, self.side)[1].findall(seen)
        if "/" in seen or self.between.join(names) != seen or len(names) != len(squares):
            return text, None
        return text, words_of(self.game, self.side, zip(squares, names, strict=True))
