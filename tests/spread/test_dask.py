"""Real Dask clusters, all on loopback; processes are ended by their id, and only those that were started here."""

import json
import os
import re
import subprocess
import sys

import pytest
from runs import children, commits, compiled_table, is_there, kill, load, solve_command, wait_for

from perfectplay.solve.spread.on_dask import check_address
from perfectplay.words import BadWork

GAME = "drop:4,4,4"


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "localhost:8786", "tcp://[::1]:1", "tls://cluster:8786"])
def test_loopback_and_encrypted_schedulers_are_taken(address):
    check_address(address)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("tcp://10.0.0.1:8786", "not encrypted; write tls://10.0.0.1:8786"),
        ("cluster:8786", "not encrypted; write tls://cluster:8786"),
        ("tcp://0.0.0.0:8786", "not encrypted"),
        ("127.0.0.1", "is not a scheduler's address"),
        ("http://127.0.0.1:80", "is not a scheduler's address"),
        ("tcp://127.0.0.1:many", "is not a scheduler's address"),
        ("", "is not a scheduler's address"),
    ],
)
def test_other_schedulers_are_refused(address, why):
    with pytest.raises(BadWork, match=why):
        check_address(address)


def test_a_cluster_of_two_workers_makes_the_same_table(tmp_path):
    table = tmp_path / "some.table"
    work = tmp_path / "work"
    process = solve_command(GAME, "--engine", "cluster", "--workers", 2, "--workdir", work, "--table", table, "--json")
    out, err = process.communicate()
    assert process.returncode == 0
    assert re.fullmatch(r"perfectplay: 2 workers; Dask's page: http://127\.0\.0\.1:\d+/status\n", err)
    assert json.loads(out)["engine"] == "cluster"
    assert table.read_bytes() == compiled_table(load(GAME))
    assert list(work.iterdir()) == []


@pytest.fixture
def scheduler(tmp_path):
    """The address of a scheduler without workers, and a way to start one; all are ended afterwards."""
    started = []

    def start(*command):
        environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
        with (tmp_path / f"{command[0]}-{len(started)}.log").open("w") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *command], stderr=log, stdout=subprocess.DEVNULL, env=environment
            )
        started.append(process)
        return process

    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0")
    log = tmp_path / "scheduler-0.log"
    wait_for(lambda: re.search(r"Scheduler at: +tcp://127", log.read_text()))
    yield re.search(r"Scheduler at: +(tcp://127.0.0.1:\d+)", log.read_text())[1], start
    everyone = [number for process in started for number in (process.pid, *children(process.pid))]
    for process in reversed(started):
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:  # Dask's own farewell may hang when several end at once
            process.kill()
            process.wait()
    wait_for(lambda: not any(map(is_there, everyone)), seconds=10)


def worker_of(address):
    """The command that starts a worker of that scheduler."""
    return ("worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--no-nanny")


def test_a_worker_of_a_real_cluster_is_killed_and_nothing_is_lost(tmp_path, scheduler):
    address, start = scheduler
    victim, _ = start(*worker_of(address)), start(*worker_of(address))
    table, work = tmp_path / "some.table", tmp_path / "work"
    process = solve_command(
        GAME, "--engine", "cluster", "--scheduler", address, "--workdir", work, "--table", table, "--partitions", 4
    )
    wait_for(lambda: commits(work) > 3_000)
    kill(victim.pid)
    out, err = process.communicate()
    assert (process.returncode, err.count("\n")) == (0, 1)
    assert "by the cluster engine" in out
    assert table.read_bytes() == compiled_table(load(GAME))


def test_a_cluster_without_workers_is_waited_for_and_that_is_said(tmp_path, scheduler):
    address, start = scheduler
    victim = start(*worker_of(address))
    table, work = tmp_path / "some.table", tmp_path / "work"
    process = solve_command(
        GAME, "--engine", "cluster", "--scheduler", address, "--workdir", work, "--table", table, "--partitions", 4
    )
    wait_for(lambda: commits(work) > 3_000)
    kill(victim.pid)
    said = [process.stderr.readline() for _ in range(2)]
    assert said[1] == f"perfectplay: no worker is left at {address}; waits for one\n"
    start(*worker_of(address))
    assert process.communicate()[1] == "perfectplay: goes on\n"
    assert process.returncode == 0
    assert table.read_bytes() == compiled_table(load(GAME))
