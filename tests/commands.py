"""Commands run in this process: what they print, and what they complain about."""

from perfectplay.front.cli import main


def output(capsys, line):
    """What the command prints."""
    assert main(line.split()) == 0
    return capsys.readouterr().out


def complaint(capsys, line):
    """The one line in which the command says what was wrong."""
    assert main(line.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("perfectplay: ")
    assert err.count("\n") == 1
    return err
