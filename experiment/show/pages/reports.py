"""Reports on runs, tournaments and files of games, with a game viewer."""

import json
from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from matplotlib.figure import Figure
from rich.console import Console

from othello_lab.experiment.compare.match import play
from othello_lab.experiment.compare.ratings import RATED, Ratings
from othello_lab.experiment.compare.tournament import tables
from othello_lab.experiment.compare.tournament.figures import figures
from othello_lab.experiment.compare.tournament.results import (
    Meeting,
    Results,
    against_ratings,
    contradictions,
    meetings,
    ratings_of,
)
from othello_lab.experiment.compare.tournament.store import Played as TournamentGame
from othello_lab.experiment.compare.tournament.store import reading
from othello_lab.experiment.run.outcomes import FROM_OPENINGS, SELF, STAND_IN
from othello_lab.experiment.run.player_names import Named
from othello_lab.experiment.run.record import NEVER_MET
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.charts import Chart
from othello_lab.experiment.show.pages.page import Fact, Page, Picture, Section, shaded
from othello_lab.experiment.show.plots import as_svg, figure_of, height_of
from othello_lab.experiment.show.progress import counted
from othello_lab.experiment.show.record_tables import (
    differences,
    opening_table,
    player_table,
    score_chart,
    transcripts,
)
from othello_lab.experiment.show.run_curves import RunFiles, finals, panels, rates, read
from othello_lab.experiment.show.run_end import each_colour, sums, table
from othello_lab.experiment.show.run_picture import POINTS
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.show.wording import between, percent, plural, result_of
from othello_lab.experiment.study.statistics.intervals import STUDENT, WILSON, mean_of, wilson
from othello_lab.experiment.study.statistics.units import PAIRED
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Colour, Game
from othello_lab.game.catalogue import is_built_in, make
from othello_lab.game.drawing import turned
from othello_lab.game.openings import names_along, standard_openings
from othello_lab.game.play import Pairing, Played
from othello_lab.game.players.player import Forfeit, MoveValues
from othello_lab.game.records import Forfeited, Record, entries, faults_of
from othello_lab.game.records.record import first_few
from othello_lab.game.review import points_of_values, values_along
from othello_lab.game.short_names import short_name
from othello_lab.game.transcripts import parse_moves
from othello_lab.game.values import units_of

T = TypeVar("T")
_SIDE: Final = {Colour.BLACK: "X", Colour.WHITE: "O"}
_MOST_OPPONENTS: Final = 4
_STAR: Final = "A star marks the moves that were given."


def score_of(record: Record) -> str:
    """Return the score of a game, such as 40-24 with black first, or the side that forfeits."""
    if record.forfeit:
        return f"{record.forfeit.by.value} forfeits"
    black, white = record.game.board.counts()
    return f"{black}-{white}" if record.is_over else f"{black}-{white}, unfinished"


class AdviserError(Exception):
    """The adviser cannot compute values. Not a ValueError, because the games are valid."""


@dataclass(frozen=True)
class Wish:
    """The options of a report."""

    games: int  # The maximum number of games in the viewer. For a run, the approximate number of games.
    adviser: Named | None  # The player that computes the values. None means the run's policy, if any.
    seed: int
    terminal: Console


def spread(things: Sequence[T], most: int) -> list[tuple[int, T]]:
    """Return at most `most` evenly spaced items, each with its index from 1."""
    count = min(most, len(things))
    return [(place + 1, things[place]) for place in (i * len(things) // count for i in range(count))]


def viewed_games(records: Sequence[tuple[int, Record]], wish: Wish) -> list[dict[str, Any]]:
    """Return viewer data for numbered games. Raises AdviserError if the adviser cannot compute values."""
    games = counted(records, len(records), wish.terminal, "game")
    return [_viewed_game(record, number, wish.adviser, wish.seed) for number, record in games]


def _viewed_game(
    record: Record, number: int, adviser: Named | None, seed: int, sides: Collection[Colour] = tuple(Colour)
) -> dict[str, Any]:
    """Return a game as JSON data for the viewer, with the adviser's values for the moves of `sides`.

    `turns`, `legal` and `values` have an entry for each position. `moves` and `flips` have an entry for each
    move, where a pass is -1 in `moves`. An entry of `names` is a number of moves and the name of the opening
    after these moves. Raises AdviserError.
    """
    values, game = list[MoveValues | None](), record.game
    if adviser:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
        try:
            with closing(make(adviser.text, game.size)) as player:
                values = list(values_along(player, game, rng, sides))
        except (ValueError, Forfeit) as error:
            raise AdviserError(str(error)) from None
    unit = units_of(values)
    black, white = short_name(record.black) or "black", short_name(record.white) or "white"
    boards = list(zip(game.boards, game.boards[1:], strict=False))
    return {
        "label": f"{number}. {black} against {white}: {score_of(record)}",
        "size": game.size,
        "start": str(game.boards[0]).split()[0],
        "turns": "".join(_SIDE[board.turn] for board in game.boards),
        "legal": [[*board.legal_moves] for board in game.boards],
        "moves": [int(move) for move in game.moves],
        "flips": [[*turned(before, after)] for before, after in boards],
        "opening": record.opening,
        "names": [*names_along(game).items()],
        "result": result_of(record),
        "values": [shaded(row.values.tolist()) if row else None for row in values] if unit else None,
        "graph": [point._asdict() for point in points_of_values(values, game)],
        "says": f"Values: what {adviser.name} says of the moves ({unit})" if adviser and unit else "",
    }


def games_of_run(folder: RunFolder, policy: Named, size: int, wish: Wish) -> list[dict[str, Any]]:
    """Play about `wish.games` games of a policy against the evaluations' opponents, half with each colour.

    Without an adviser, only the policy's moves have values. Raises ValueError and AdviserError.
    """
    opponents, viewed = _opponents(folder, size), list[dict[str, Any]]()
    pairs = -(-wish.games // (2 * len(opponents)))
    openings = ("",) if pairs == 1 else standard_openings(size, pairs)
    matches = [Pairing(policy.text, other, size, openings, 1, wish.seed) for other in opponents]
    games = (played for match in matches for played in play(match, Pool()))
    total = sum(match.games for match in matches)
    for number, played in enumerate(counted(games, total, wish.terminal, "game"), 1):
        record = replace(played.record, **{played.colour.value: policy.name})  # type: ignore[arg-type]  # a name
        sides = tuple(Colour) if wish.adviser else (played.colour,)
        viewed.append(_viewed_game(record, number, wish.adviser or policy, wish.seed, sides))
    return viewed


def _opponents(folder: RunFolder, size: int) -> list[str]:
    """Return the built-in players among a run's opponents, the training opponent first."""
    first = folder.read_record().environment_stats.opponent or STAND_IN
    names = [STAND_IN if first == SELF else first]
    names += [result.opponent.removesuffix(FROM_OPENINGS) for result in folder.evaluations()]
    return [name for name in dict.fromkeys(names) if _is_built_in(name, size)][:_MOST_OPPONENTS] or [STAND_IN]


def _is_built_in(name: str, size: int) -> bool:
    try:
        return is_built_in(name, size)
    except ValueError:
        return False


def records_of(
    games: Iterable[tuple[int, TournamentGame]], results: Results, size: int
) -> Iterator[tuple[int, Record]]:
    """Yield numbered games of a tournament as records. Raises ValueError for a game with invalid moves."""
    names = {who.id: name for who, name in zip(results.entrants, results.names, strict=True)}
    for number, played in games:
        key, forfeit = played.key, None
        try:
            game, opening = Game.from_transcript(played.moves, size), len(parse_moves(key.opening, size))
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from None
        if played.forfeit is not None:
            forfeit = Forfeited(Colour(played.winner).other, played.forfeit)
        yield number, Record(game, names[key.black], names[key.white], opening, forfeit=forfeit)


_WIDE, _SMALL, _HALF = (8.6, 4.2), (4.2, 2.9), 6.0  # sizes in inches; the minimum width of a wide plot


def _picture(figure: Figure, says: str) -> Picture:
    url = f"data:image/svg+xml;base64,{b64encode(as_svg(figure)).decode()}"
    return Picture(url, says, figure.get_figwidth() > _HALF)


def _charted(chart: Chart, size: tuple[float, float]) -> Picture:
    return _picture(figure_of("", [chart], 1, size), f"{chart.title}: {chart.says}")


# A run

_FACTS: Final = 5  # maximum number of opponents in the key figures
_SET_UP: tuple[Column[str], ...] = (Column("name"), Column("value", wide=True))


def page_of_run(folder: RunFolder, policy: Named | None, size: int, wish: Wish) -> Page:
    """Return a run's report, without games if `policy` is None. Raises RunFolderError and AdviserError."""
    games: list[dict[str, Any]] = []
    if policy and wish.games:
        try:
            games = games_of_run(folder, policy, size, wish)
        except ValueError as error:
            wish.terminal.print(f"no games to step through: {error}", markup=False, soft_wrap=True)
    says = (
        f"Played for this report from its newest policy, without exploration, with seed {wish.seed}; "
        f"they are in none of the counts above. {_STAR}"
    )
    run = read(folder)
    set_up = Table("Configuration", _SET_UP, [*_flat("", folder.config())], folded=True)
    sections = [
        Section("Damaged files", folder.unreadable_rows()),
        _last_evaluation(run),
        Section("Curves", [], [*_run_pictures(run)], _every_evaluation(run)),
        Section("Set-up", ["As it stands in config.json."], tables=[set_up]),
    ]
    return Page(
        f"Run {folder.path.resolve().name}",
        run.record.headline,
        [*_run_facts(run)],
        [section for section in sections if section.says or section.pictures or section.tables],
        games,
        [says] if games else [],
    )


def _run_facts(run: RunFiles) -> Iterator[Fact]:
    seed = "" if run.record.seed is None else f"seed {run.record.seed}"
    yield Fact("training games", f"{run.games:,}", seed)
    for name, tally in [row[:2] for row in sums(run.last, run.record)][:_FACTS]:
        says = f"95 %: {between(*wilson(tally.win_rate, tally.games))} of {tally.games:,} games"
        opponent = name.removeprefix(NEVER_MET)
        never = ", never met" if opponent != name else ""
        yield Fact(f"won against {opponent}{never}", percent(tally.win_rate), says)


def _last_evaluation(run: RunFiles) -> Section:
    if not run.evaluations:
        return Section("Results", ["The run has no evaluation yet."])
    when = f"after {run.last[0].episode:,} training games"
    says = f"Without learning and exploration, {when}; won % with its {WILSON}."
    rows = each_colour(run.last, run.record)
    return Section("Results", [says], tables=[table("The last evaluation", rows)])


def _every_evaluation(run: RunFiles) -> list[Table]:
    """Return a table of all evaluations over both colours, or [] without evaluations."""
    rows = [
        row._replace(after=episode)
        for episode, results in groupby(run.evaluations, lambda result: result.episode)
        for row in sums(results, run.record)
    ]
    return [table("Every evaluation", rows, f"Won % with its {WILSON}.", folded=True)] if rows else []


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Flatten nested dictionaries: yield the keys, in the form `outer.inner`, and the values."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), part)
    else:
        yield name, value if isinstance(value, str) else json.dumps(value)


def _run_pictures(run: RunFiles) -> Iterator[Picture]:
    if run.games:
        yield _charted(rates(run, POINTS, by_colour=True), _WIDE)
    if run.evaluations:
        chart = finals(run)
        yield _charted(chart, (_WIDE[0], height_of(chart.names)))
    for chart in panels(run.curves):
        yield _charted(chart, _SMALL)


# A tournament

_MOST_PAIRS = 20


def page_of_tournament(path: Path, wish: Wish) -> Page:
    """Return the report of a tournament database. Raises ValueError without games, and AdviserError."""
    with reading(path) as store:
        entrants = store.entrants()
        ids = {who.id for who in entrants}
        played = [game for game in store.games() if {game.key.black, game.key.white} <= ids]
        size = store.size
    if not played:
        raise ValueError(f"{path} has no games yet")
    results = Results.of(entrants, played).sorted()
    try:
        records = [*records_of(spread(played, wish.games), results, size)]
    except ValueError as error:
        raise ValueError(f"{path}, {error}") from None
    games = viewed_games(records, wish)
    ratings = ratings_of(results)
    pictures = {
        name: _picture(figure, f"{figure.get_suptitle()}; the numbers are in the table")
        for name, figure in figures(results, ratings).items()
    }
    sections = [
        _standing(results, ratings, [] if ratings is None else [pictures.pop("ratings")]),
        _who_beats_whom(results, [*pictures.values()]),
        *([] if ratings is None else [_against(results, meetings(results, ratings))]),
        Section("Players", tables=[tables.who_they_are(results)]),
    ]
    openings = plural(len(set(results.openings.tolist())), "opening")
    subtitle = f"{plural(len(results.names), 'player')}, {plural(len(played), 'game')} from {openings}"
    says = f"{len(games):,} of {len(played):,} games, evenly spread. {_STAR}"
    facts = [*_tournament_facts(results, ratings)]
    return Page(f"Tournament {path.stem}", f"{subtitle}, both colours", facts, sections, games, [says])


def _tournament_facts(results: Results, ratings: Ratings | None) -> Iterator[Fact]:
    if ratings is not None:
        best = ratings.of(0)
        yield Fact("highest rating", results.names[0], f"{best.value:+.0f} ± {best.reach:.0f} (95 %)")
    yield from _shares_won(results.points.tolist())


def _shares_won(points: Sequence[float]) -> Iterator[Fact]:
    """Yield the share of games with each result, from black's points."""
    for what, worth in (("black wins", 1.0), ("white wins", 0.0), ("drawn", 0.5)):
        share = points.count(worth) / max(1, len(points))
        yield Fact(what, percent(share), f"95 %: {between(*wilson(share, len(points)))}")


def _standing(results: Results, ratings: Ratings | None, pictures: Sequence[Picture]) -> Section:
    says = "There are no ratings: no games link all players."
    if ratings is not None:
        says = (
            f"Points of Elo's scale, with mean 0: 400 points are odds of 10 to 1. ±: {RATED}; "
            f"of the shares above: {WILSON}."
        )
    return Section("Ratings", [says], pictures, [tables.players(results, ratings)])


def _who_beats_whom(results: Results, pictures: Sequence[Picture]) -> Section:
    says = (
        "Each row's player against each column's. A score is the share of games won, half of the drawn ones "
        "added; a final score is own discs minus the other's, the empty squares to the winner."
    )
    matrices = tables.matrices(results)
    first = matrices.pop("score")
    others = [replace(matrix, folded=True) for matrix in matrices.values()]
    return Section("Who beats whom", [says], pictures, [first, *others])


def _against(results: Results, played: Sequence[Meeting]) -> Section:
    pairs = contradictions(played)
    rest = f" {len(pairs) - _MOST_PAIRS} more are left out." if len(pairs) > _MOST_PAIRS else ""
    note = (
        f"Interval: {PAIRED}. Expected: by the ratings. First those where the lower-rated was ahead, then "
        f"those that are farthest from what is expected.{rest}"
    )
    table = [tables.pairs(results, pairs[:_MOST_PAIRS], note)] if pairs else []
    return Section("Against the ratings", [against_ratings(played)], tables=table)


# A file of games


def page_of_records(path: Path, wish: Wish) -> Page:
    """Return the report of a file of games. Raises AdviserError, and ValueError without games."""
    listing = entries(path)
    faults = faults_of(listing)
    numbered = [(number, entry) for number, entry in enumerate(listing, 1) if isinstance(entry, Record)]
    records = [record for _, record in numbered]
    if not records:
        raise ValueError(f"{path} has no games")
    games = viewed_games([entry for _, entry in spread(numbered, wish.games)], wish)
    says = [] if len(games) == len(records) else [f"{len(games):,} of {len(records):,} games, evenly spread."]
    sections = [Section("Transcripts", tables=[transcripts(numbered)])]
    if len(records) > 1:
        sections.insert(0, _results(records))
    sizes = ", ".join(f"{size}x{size}" for size in sorted({record.game.size for record in records}))
    subtitle = f"{plural(len(records), 'game')} of Othello on {sizes}"
    facts = [*_record_facts(records)]
    return Page(f"Games of {path.name}", subtitle, facts, sections, games, [*says, *first_few(faults)])


def _results(records: Sequence[Record]) -> Section:
    over = [record for record in records if record.is_over]
    note = f"The intervals above: {WILSON}; of the mean {STUDENT} over the games."
    results = [player_table(over, note), opening_table(over)]
    open_ = len(records) - len(over)
    rest = f" Games without a result are left out of all counts: {open_}." if open_ else ""
    says = f"A score is the share of games won, half of the drawn ones added.{rest}"
    picture = _charted(score_chart(records), (8.6, 3.0))
    return Section("Results", [says], [picture], [table for table in results if table.rows])


def _record_facts(records: Sequence[Record]) -> Iterator[Fact]:
    if len(records) == 1:
        (record,) = records
        yield Fact("black", short_name(record.black) or "-")
        yield Fact("white", short_name(record.white) or "-")
        yield Fact("result", score_of(record), result_of(record))
        return
    over = [record for record in records if record.is_over]
    yield Fact("games", f"{len(records):,}")
    yield from _shares_won([Played(record, Colour.BLACK).points for record in over])
    if ends := differences(over):
        mean = mean_of(ends)
        says = f"± {mean.reach:.2f} (95 %)" if len(ends) > 1 else ""
        yield Fact("black's discs minus white's, mean", f"{mean.value:+.2f}", says)
