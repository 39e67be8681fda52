"""The report of a tournament: ratings, who beats whom, what is against the ratings, and games."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure

from experiment.compare.ratings.elo import RATED, Ratings
from experiment.compare.ratings.pairs import Numbers
from experiment.compare.tournament.meetings import Meeting, about_circles, against_ratings, circles, meetings
from experiment.compare.tournament.results import Results
from experiment.compare.tournament.tables import COUNT, Form, cell, share, signed
from experiment.show.display.wording import between, percent, plural, score_text
from experiment.show.report.page import Column, Fact, Page, Picture, Section, Table
from experiment.show.report.pictures import picture
from experiment.study.statistics.paired import PAIRED
from experiment.study.statistics.shares import WILSON, wilson

_NAME = Column("player", number=False)
_OF_A_PAIR = (
    Column("higher rated", number=False),
    Column("lower rated", number=False, wide=True),
    *map(Column, ("score of the higher", "interval", "expected")),
)
_MOST_CIRCLES, _MOST_PAIRS = 10, 20
"""The limit of what is shown."""
_DIGITS = 12
"""Of a digest."""


def tournament_page(
    title: str,
    results: Results,
    ratings: Ratings | None,
    drawn: Mapping[str, tuple[Figure, Figure]],
    games: Sequence[dict[str, Any]] = (),
    says: Sequence[str] = (),
) -> Page:
    """Return the report of a tournament whose players are in the order of their ratings; `drawn` are its
    `figures`, for wide windows and for phones.

    Without ratings, where the games do not link all players, it has the matrices alone.
    """
    found = [] if ratings is None else meetings(results, ratings)
    pictures = {name: picture(*both, name, *_SAID[name]) for name, both in drawn.items()}
    sections = [
        _standing(results, ratings, [pictures[name] for name in pictures if name == "ratings"]),
        _who_beats_whom(results, [pictures[name] for name in _HEAT_MAPS]),
        *([] if ratings is None else [_against(results, found)]),
        Section("Players", tables=[_players(results)]),
    ]
    openings = len(set(results.openings.tolist()))
    players, played = plural(len(results.names), "player"), plural(len(results.points), "game")
    subtitle = f"{players}, {played} from {plural(openings, 'opening')}, both colours"
    return Page(title, subtitle, [*_facts(results, ratings)], sections, games, says)


_HEAT_MAPS = ("scores", "final_scores", "colours")
_SAID = {
    "ratings": (
        "Ratings",
        "Each player's rating with its interval; the numbers are in the table.",
    ),
    "scores": ("Who beats whom", "Heat map of the scores of the rows against the columns; see the table."),
    "final_scores": ("By how much", "Heat map of the mean final scores; see the table."),
    "colours": ("As black and as white", "Two heat maps of the scores, one for each colour; see the tables."),
}


def _facts(results: Results, ratings: Ratings | None) -> Iterator[Fact]:
    if ratings is not None:
        best = ratings.of(0)
        yield Fact("highest rating", results.names[0], f"{best.value:+.0f} ± {best.reach:.0f} (95 %)")
    games = len(results.points)
    for what, worth in (("black wins", 1.0), ("white wins", 0.0), ("drawn", 0.5)):
        share = float((results.points == worth).mean())
        yield Fact(what, percent(share), f"95 %: {between(*wilson(share, games))}")


def _standing(results: Results, ratings: Ratings | None, pictures: Sequence[Picture]) -> Section:
    columns = (_NAME, *map(Column, ("rating", "±", "ahead of the next", "score", "games")))
    totals, games = results.totals(), results.games().sum(1)
    rows = [
        [_numbered(results, place), *_rated(ratings, place), f"{totals[place]:.3f}", f"{games[place]:,.0f}"]
        for place in range(len(results.names))
    ]
    if ratings is None:
        says = "There are no ratings: no games link all players."
    else:
        says = (
            f"Points of Elo's scale, with mean 0: 400 points are odds of 10 to 1. ±: {RATED}; "
            f"of the shares above: {WILSON}."
        )
    return Section("Ratings", [says], pictures, [Table("Players by rating", columns, rows)])


def _rated(ratings: Ratings | None, place: int) -> list[str]:
    """Return rating, ± and how far it is ahead of the next."""
    if ratings is None:
        return ["-", "-", "-"]
    found, ahead = ratings.of(place), "-"
    if place + 1 < len(ratings.points):
        apart = ratings.difference(place, place + 1)
        ahead = f"{apart.value:.0f} ± {apart.reach:.0f}"
    return [f"{found.value:+.0f}", f"{found.reach:.0f}", ahead]


def _who_beats_whom(results: Results, pictures: Sequence[Picture]) -> Section:
    scores, finals = results.scores(), results.final_scores()
    says = (
        "Each row's player against each column's. A score is the share of games won, half of the drawn ones "
        "added; a final score is own discs minus the other's, the empty squares to the winner."
    )
    first, *others = (
        ("Score, fair to colour: the mean of both", scores.fair, share(3)),
        ("Score as black", scores.as_black, share(3)),
        ("Score as white", scores.as_white, share(3)),
        ("Games won", results.wins(), COUNT),
        ("Mean final score, fair to colour", finals.fair, signed(1)),
        ("Mean final score as black", finals.as_black, signed(1)),
        ("Mean final score as white", finals.as_white, signed(1)),
    )
    tables = [_matrix(results, *first), *(_matrix(results, *other, folded=True) for other in others)]
    return Section("Who beats whom", [says], pictures, tables)


def _matrix(results: Results, caption: str, numbers: Numbers, form: Form, folded: bool = False) -> Table:
    """Return a matrix [P, P]; columns are numbered as the rows are."""
    places = range(len(results.names))
    rows = [
        [_numbered(results, row), *(cell(numbers, row, column, form) for column in places)] for row in places
    ]
    columns = [_NAME, *(Column(f"{place + 1}") for place in places)]
    return Table(caption, columns, rows, folded=folded, matrix=True)


def _against(results: Results, found: Sequence[Meeting]) -> Section:
    """Return what one number for each player does not say."""
    upsets = [meeting for meeting in found if meeting.is_upset]
    odd = [meeting for meeting in found if meeting.is_unexpected]
    says = [
        against_ratings(found),
        *_circles(results, found),
    ]
    others = sorted((it for it in odd if not it.is_upset), key=lambda it: -it.surprise)
    pairs = [*upsets, *others]
    return Section("Against the ratings", says, tables=[_against_table(results, pairs)] if pairs else [])


def _against_table(results: Results, pairs: Sequence[Meeting]) -> Table:
    rows = [_meeting_row(results, meeting) for meeting in pairs[:_MOST_PAIRS]]
    rest = f" {len(pairs) - len(rows)} more are left out." if len(pairs) > len(rows) else ""
    note = (
        f"Interval: {PAIRED}. Expected: by the ratings. First those where the lower-rated was ahead, then "
        f"those that are farthest from what is expected.{rest}"
    )
    return Table("Pairs against the ratings", _OF_A_PAIR, rows, note)


def _meeting_row(results: Results, meeting: Meeting) -> list[str]:
    score = meeting.score
    return [
        *(_numbered(results, place) for place in meeting[:2]),
        f"{score.value:.3f}",
        score_text(*score.interval),
        f"{meeting.expected:.3f}",
    ]


def _circles(results: Results, found: Sequence[Meeting]) -> Iterator[str]:
    every = circles(found)
    yield about_circles(every)
    for circle in every[:_MOST_CIRCLES]:
        way = " > ".join(results.names[player] for player in (*circle.players, circle.players[0]))
        yield way + ("" if circle.is_clear else " (may be chance)")


def _players(results: Results) -> Table:
    columns = (_NAME, Column("text", False, wide=True), Column("digest of its file", False))
    rows = [
        [_numbered(results, place), who.text, (who.digest or "-")[:_DIGITS]]
        for place, who in enumerate(results.entrants)
    ]
    return Table("Who they are", columns, rows, "The first digits of SHA-256; - where no file is behind one.")


def _numbered(results: Results, place: int) -> str:
    """Return what a player is called in tables: the columns of matrices have its number alone."""
    return f"{place + 1}. {results.names[place]}"
