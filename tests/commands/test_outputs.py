"""One rule for all files that commands and functions write: nobody else's file is replaced unasked."""

import gzip
import os

import pytest

import perfectplay
from command_line import complaint, output
from homes import ROOT
from perfectplay.__main__ import main
from perfectplay.commands.learn.sweeping import Sweep
from perfectplay.insight.sweeps.measures import Swept
from perfectplay.rl import dataset
from perfectplay.rules.outputs import C_FILE, CSV, GIF, HTML, JSON, PACKED_JSON, PARQUET, PNG, SVG, output_by_ending
from perfectplay.solvers.table.table_file import TABLE
from perfectplay.solvers.table.table_parts import part_path, remove_parts
from perfectplay.words import BadArgument, BadTable

TINY = "lines:2,2,2"
COMMANDS = {
    "x.table": "solve lines:2,2,2 --engine python --to {}",
    "x.json": "export lines:2,2,2 --to {}",
    "x.json.gz": "export lines:2,2,2 --to {}",
    "x.h": "export lines:2,2,2 --to {}",
    "x.parquet": "export lines:2,2,2 --to {}",
    "x.svg": "draw lines:2,2,2 --to {}",
    "x.png": "draw lines:2,2,2 --to {}",
    "x.gif": "draw lines:2,2,2 a1 --to {}",
    "tree.svg": "tree lines:2,2,2 --to {}",
    "tree.html": "tree lines:2,2,2 --to {}",
    "strategy.html": "strategy lines:2,2,2 --to {}",
    "puzzles.json": "puzzles tic-tac-toe --count 1 --to {}",
    "review.htm": "review lines:2,2,2 a1 b1 a2 --to {}",
    "certify.html": "certify lines:2,2,2 perfect --to {}",
    "tournament.html": "tournament lines:2,2,2 random perfect --games 2 --seed 1 --to {}",
}
"""Commands that write files, of every kind."""
REFUSED = {
    **COMMANDS,
    "x.c": "export lines:2,2,2 --to {}",
    "puzzles.html": "puzzles tic-tac-toe --to {}",
    "sweep.csv": "sweep lines:2,2,2 --to {}",
    "x.book": "book drop:4,4,4 --plies 1 --to {}",
}
FUNCTIONS = {
    "saved.table": lambda path, force: perfectplay.solve(TINY, "python").save(path, force=force),
    "x.book": lambda path, force: perfectplay.make_book("drop:4,4,4", 1, path=path, force=force),
    "x.svg": lambda path, force: perfectplay.Match(TINY).save_picture(path, force=force),
    "x.csv": lambda path, force: Sweep(Swept()).save(path, force=force),
    "x.parquet": lambda path, force: dataset(TINY).to_parquet(path, force=force),
}

KINDS = (HTML, SVG, PNG, GIF, JSON, PACKED_JSON, CSV, PARQUET, C_FILE)


@pytest.mark.parametrize("name", REFUSED)
def test_commands_refuse_to_harm_a_file(name, tmp_path, capsys):
    (folder := tmp_path / "here").mkdir()
    path, theirs = folder / name, tmp_path / "theirs"
    line = REFUSED[name].format(path)
    path.write_text("mine")
    said = complaint(capsys, line)
    assert all(words in said for words in (str(path), "perfectplay wrote", "replace it with --force"))
    assert path.read_text() == "mine"
    path.unlink()
    theirs.write_text("mine")
    path.symlink_to(theirs)
    assert "is a link to" in complaint(capsys, line)
    assert theirs.read_text() == "mine"
    path.unlink()
    path.mkdir()
    assert "is there already and is not a file" in complaint(capsys, f"{line} --force")
    away = REFUSED[name].format(f"{folder}/none/{name}")
    assert f"there is no folder '{folder}/none'" in complaint(capsys, f"{away} --force")
    assert [*folder.iterdir()] == [path]


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_replace_a_file_if_forced_and_know_it_again(name, tmp_path, capsys):
    path = tmp_path / name
    path.write_text("mine")
    output(capsys, f"{COMMANDS[name].format(path)} --force")
    kind = next((kind for kind in KINDS if name.endswith(kind.endings)), TABLE)
    assert [other.name for other in (*KINDS, TABLE) if other.is_ours(path)] == [kind.name]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_refuse_to_harm_a_file(name, tmp_path):
    path, write = tmp_path / name, FUNCTIONS[name]
    path.write_text("mine")
    with pytest.raises(BadArgument, match="replace it with force=True"):
        write(path, False)
    assert path.read_text() == "mine"
    with pytest.raises(BadArgument, match=r"there is no folder '.*none'"):
        write(tmp_path / "none" / name, True)
    assert [*tmp_path.iterdir()] == [path]
    if name in ("saved.table", "x.parquet"):  # which no command writes
        write(path, True)
        write(path, False)
        assert path.read_bytes() != b"mine"


def test_all_files_of_a_sweep_are_known_again(tmp_path, capsys):
    paths = [tmp_path / f"sweep.{ending}" for ending in ("csv", "json", "parquet", "html")]
    line = f"sweep {TINY} --measure classes --jobs 1 {' '.join(f'--to {path}' for path in paths)}"
    output(capsys, line)
    assert [kind.is_ours(path) for kind, path in zip((CSV, JSON, PARQUET, HTML), paths, strict=True)] == [True] * 4
    paths[2].write_text("mine")
    assert f"{paths[2]}' is there already and is not a Parquet file" in complaint(capsys, line)


def test_what_looks_alike_is_not_taken_for_ours(tmp_path):
    path = tmp_path / "file"
    for kind, text in (
        (JSON, '{"name": "mine", "dependencies": {"perfectplay": "0.2.0"}}'),
        (JSON, '[{"game": "chess", "moves": 40}]'),
        (JSON, '{"tournament": {"game": "tic-tac-toe"}}'),
        (CSV, "game,value\nchess,1\n"),
        (HTML, "<!doctype html><title>perfectplay</title>"),
        (C_FILE, "/* Notes on what is Written by perfectplay. */"),
        (PACKED_JSON, '{"perfectplay": "0.2.0"}'),
        (TABLE, "perfectplay"),
    ):
        path.write_text(text)
        assert not kind.is_ours(path)
    path.write_bytes(gzip.compress(b"{}"))
    assert not PACKED_JSON.is_ours(path)
    path.write_bytes(gzip.compress(b'{"format": 1, "perfectplay": "0.2.0", "game": "nim"}')[:-8])
    assert PACKED_JSON.is_ours(path)  # cut off, but ours


def test_an_empty_file_is_replaced(tmp_path, capsys):
    (tmp_path / "x.svg").touch()
    assert "X to move" in output(capsys, f"draw {TINY} --to {tmp_path}/x.svg")
    assert (tmp_path / "x.svg").read_text().startswith("<svg ")


@pytest.mark.parametrize(
    ("path", "force", "words"),
    [
        ("x.svg\0", False, "is not the path of a file"),
        (b"x.svg", False, "is not the path of a file"),
        ("x.svg", "no", "neither True nor False"),
        (f"{'x' * 250}.svg", False, "too long"),
    ],
)
def test_what_is_no_path_is_refused(path, force, words):
    with pytest.raises(BadArgument, match=words):
        output_by_ending(path, [SVG], force)


def test_links(tmp_path):
    """A link stays, and its target is replaced: within the folder, or elsewhere if forced."""
    away = tmp_path / "away"
    away.mkdir()
    for link, target, force in (("here.svg", tmp_path / "there.svg", False), ("out.svg", away / "new.svg", True)):
        (tmp_path / link).symlink_to(target)
        output_by_ending(tmp_path / link, [SVG], force).write(b"<svg ")
        assert (tmp_path / link).is_symlink()
        assert target.read_bytes() == b"<svg "
    (tmp_path / "lost.svg").symlink_to(tmp_path / "none" / "x.svg")
    with pytest.raises(BadArgument, match=r"there is no folder '.*none'"):
        output_by_ending(tmp_path / "lost.svg", [SVG], True)
    (tmp_path / "loop.svg").symlink_to(tmp_path / "loop.svg")
    with pytest.raises(BadArgument, match="a link to itself"):
        output_by_ending(tmp_path / "loop.svg", [SVG], True)


@pytest.mark.parametrize("force", [False, True])
def test_a_file_that_appears_meanwhile_is_kept(tmp_path, force):
    path = tmp_path / "x.svg"
    target = output_by_ending(path, [SVG], force)

    def write():
        with target.writing() as sink:
            sink.write(b"<svg ")
            path.write_text("mine")

    if force:
        write()
    else:
        with pytest.raises(BadArgument, match="is there already"):
            write()
    assert path.read_text() == ("<svg " if force else "mine")
    assert [*tmp_path.iterdir()] == [path]


def test_a_disk_without_links_gets_the_file_as_well(tmp_path, monkeypatch):
    def unknown(unfinished, name):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", unknown)  # as on a memory stick
    output_by_ending(tmp_path / "x.svg", [SVG]).write(b"<svg ")
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("x.svg", b"<svg ")]


def test_a_solution_is_shown_though_a_file_has_appeared_at_the_last_moment(tmp_path, capsys, monkeypatch):
    path, link = tmp_path / "x.table", os.link

    def late(unfinished, name):
        path.write_text("mine")
        link(unfinished, name)

    monkeypatch.setattr(os, "link", late)
    assert main(["solve", TINY, "--engine", "python", "--to", str(path)]) == 2
    shown, told = capsys.readouterr()
    assert "wins in 3 plies" in shown
    assert "replace it with --force" in told
    path.unlink()
    with pytest.raises(BadTable, match="is there already"):
        perfectplay.solve(TINY, "python", path=path)
    assert path.read_text() == "mine"


def test_a_read_only_folder_is_refused_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # whoever runs the tests
    with pytest.raises(BadArgument, match=r"the folder .* is read-only"):
        output_by_ending(tmp_path / "x.svg", [SVG], True)


@pytest.mark.parametrize("name", ["x.svg", "review.htm", "certify.html", "tournament.html"])
def test_a_full_disk_leaves_the_earlier_file(name, tmp_path, capsys, monkeypatch):
    path = tmp_path / name
    path.write_text("mine")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main([*COMMANDS[name].format(path).split(), "--force"]) == 2
    shown, told = capsys.readouterr()
    assert told.splitlines()[-1] == f"perfectplay: cannot continue: No space left on device: {path}"
    assert bool(shown) == (name != "x.svg")  # long work is not lost
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [(name, "mine")]


def test_a_file_with_the_name_of_a_part_is_no_part(tmp_path, capsys):
    part = part_path(tmp_path / "x.table", 1)
    part.write_text("mine")
    line = f"solve {TINY} --engine python --to {tmp_path}/x.table"
    assert f"{part}' is there already" in complaint(capsys, line)
    output(capsys, f"{line} --force")
    remove_parts(tmp_path / "x.table")
    assert part.read_text() == "mine"


def test_a_record_needs_its_folder(tmp_path, capsys):
    said = complaint(capsys, f"battle {TINY} random random --games 1 --record {tmp_path}/none/x.jsonl")
    assert f"there is no folder '{tmp_path}/none'" in said


def test_a_site_goes_to_another_folder_only_if_forced(tmp_path, capsys, monkeypatch):
    for module in ("perfectplay.exports.page.site_pages", "perfectplay.views.png"):
        monkeypatch.setattr(f"{module}.draws_png", lambda: False)
    (tmp_path / "index.html").write_text("mine")
    line = f"site {TINY} --to {tmp_path}"
    assert "write to it with --force" in complaint(capsys, line)
    assert (tmp_path / "index.html").read_text() == "mine"
    output(capsys, f"{line} --force")
    assert HTML.is_ours(tmp_path / "index.html")
    (tmp_path / "link").symlink_to(ROOT / "docs")
    assert "is a link to" in complaint(capsys, f"site {TINY} --to {tmp_path}/link")
