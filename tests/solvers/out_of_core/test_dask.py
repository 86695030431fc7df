"""Dask clusters on loopback; only processes started here are ended, by their id."""

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import count
from typing import NamedTuple

import dask
import pytest
from runs import commits, compiled_table, kill, load, solve_command

from command_line import wait_until
from perfectplay.solvers.out_of_core.dask_executor import OnDask, Submitted, check_address
from perfectplay.solvers.out_of_core.task_registry import Task
from perfectplay.words import BadWork

GAME = "drop:4,4,4"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("tcp://10.0.0.1:8786", "not encrypted; write tls://10.0.0.1:8786"),
        ("cluster:8786", "not encrypted; write tls://cluster:8786"),
        ("tcp://0.0.0.0:8786", "not encrypted"),
        *((address, "is not a scheduler's address") for address in ("127.0.0.1", "http://127.0.0.1:80", "")),
        ("tcp://127.0.0.1:many", "is not a scheduler's address"),
    ],
)
def test_schedulers_are_local_or_encrypted(address, why):
    with pytest.raises(BadWork, match=why):
        check_address(address)
    for good in ("tcp://127.0.0.1:8786", "localhost:8786", "tcp://[::1]:1", "tls://cluster:8786"):
        check_address(good)


def test_an_address_is_judged_before_anything_is_started():
    with pytest.raises(BadWork, match="is not a scheduler's address"):
        OnDask("http://127.0.0.1:80", 1)


@pytest.mark.nightly
def test_a_cluster_of_two_workers_makes_the_same_table(tmp_path):
    game, table, work = "tic-tac-toe", tmp_path / "some.table", tmp_path / "work"
    options = ("--engine", "cluster", "--workers", 2, "--workdir", work, "--to", table, "--json")
    process = solve_command(game, *options)
    out, err = process.communicate()
    assert process.returncode == 0
    first, *progress = err.splitlines()  # a slow machine prints progress
    assert re.fullmatch(r"perfectplay: 2 workers; Dask dashboard: http://127\.0\.0\.1:\d+/status", first)
    assert all(re.match("perfectplay: (forward|backward|table|check)", line) for line in progress)
    assert json.loads(out)["engine"] == "cluster"
    assert table.read_bytes() == compiled_table(load(game))
    assert not work.exists()


class Scheduler:
    """Accepts tasks and runs none; notes the preferred worker of each."""

    def __init__(self):
        self.submitted, self.cancelled, self.begun = [], [], []

    def map(self, perform, tasks, key, **more):
        preferred = dask.get_annotations().get("workers", lambda name: None)
        self.submitted += [(task.part, preferred(name)) for task, name in zip(tasks, key, strict=True)]
        return [Future(name) for name in key]

    def cancel(self, futures):
        self.cancelled += [future.key for future in futures]

    def processing(self):
        return {"b": self.begun}


class Future(NamedTuple):
    """A pending future."""

    key: str

    def add_done_callback(self, call):
        pass

    def done(self):
        return False


def test_tasks_of_a_lost_worker_are_resubmitted_unless_another_runs_them():
    client = Scheduler()
    submitted = Submitted(client, count())
    submitted.submit([Task(None, "grow", part, {}) for part in range(4)], ["a", "b"])
    assert client.submitted == [(0, "a"), (1, "b"), (2, "a"), (3, "b")]
    client.submitted.clear()
    submitted.resubmit(["a", "b", "c"])
    submitted.resubmit([])  # no worker is left
    assert client.submitted == []
    client.begun.append("grow-2-2")
    submitted.resubmit(["b", "c"])
    assert (client.submitted, client.cancelled) == ([(0, "b")], ["grow-0-0"])
    assert sorted(task.part for task, _ in submitted.tasks.values()) == [0, 1, 2, 3]


@pytest.fixture
def start(tmp_path):
    """Starts a scheduler or a worker and ends it afterwards; returns the process and the file of its output."""
    started = []

    def begin(*command):
        environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
        said = tmp_path / f"{command[0]}-{len(started)}.log"
        run = [sys.executable, "-m", "dask", *command]
        with said.open("w") as log:
            started.append(subprocess.Popen(run, stderr=log, stdout=subprocess.DEVNULL, env=environment))
        return started[-1], said

    yield begin
    for process in reversed(started):
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:  # Dask's shutdown may hang when several processes end together
            process.kill()
            process.wait()


def start_scheduler(start, protocol, *keys):
    """The address of a new scheduler."""
    address = ("--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0", "--protocol", protocol)
    _, log = start("scheduler", *address, *keys)
    found = re.compile(rf"Scheduler at: +({protocol}://127\.0\.0\.1:\d+)")
    wait_until(lambda: found.search(log.read_text()))
    return found.search(log.read_text())[1]


def start_worker(start, address, *keys):
    """The process of a new worker of that scheduler."""
    options = ("--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard", "--no-nanny")
    return start("worker", address, *options, *keys)[0]


@pytest.mark.nightly  # the executor of processes loses workers, too
def test_killed_workers_of_a_real_cluster_lose_nothing(tmp_path, start):
    address = start_scheduler(start, "tcp")
    first, second = start_worker(start, address), start_worker(start, address)
    table, work, told = tmp_path / "some.table", tmp_path / "work", tmp_path / "told"
    options = ("--engine", "cluster", "--scheduler", address, "--workdir", work, "--to", table, "--partitions", 4)
    with told.open("w") as log:
        process = solve_command(GAME, *options, stderr=log)
    wait_until(lambda: commits(work) > 3_000)
    kill(first.pid)
    wait_until(lambda: commits(work) > 6_000)
    assert told.read_text().count("\n") == 1
    kill(second.pid)
    wait_until(lambda: told.read_text().endswith(f"perfectplay: no worker is left at {address}; waiting for one\n"))
    start_worker(start, address)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "by the cluster engine" in out
    assert told.read_text().endswith("one\nperfectplay: a worker is back\n")
    assert table.read_bytes() == compiled_table(load(GAME))


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes keys with openssl")
def test_an_encrypted_cluster_accepts_clients_with_its_key(tmp_path, start):
    paths = {name: str(tmp_path / f"{name}.pem") for name in ("key", "cert")}
    subject = ("-subj", "/CN=perfectplay", "-addext", "subjectAltName=IP:127.0.0.1")
    made = ("-newkey", "rsa:2048", "-nodes", "-keyout", paths["key"], "-out", paths["cert"], "-days", "2")
    subprocess.run(["openssl", "req", "-x509", *made, *subject], check=True, stderr=subprocess.DEVNULL)
    keys = ("--tls-ca-file", paths["cert"], "--tls-cert", paths["cert"], "--tls-key", paths["key"])
    address = start_scheduler(start, "tls", *keys)
    start_worker(start, address, *keys)
    table = tmp_path / "some.table"
    options = (GAME, "--engine", "cluster", "--scheduler", address, "--workdir", tmp_path / "work", "--to", table)
    _, refused = solve_command(*options).communicate(timeout=120)
    assert f"perfectplay: {address} needs keys, and Dask's TLS settings have none; see docs/how-to" in refused
    assert refused.count("\n") == 1
    settings = "DASK_DISTRIBUTED__COMM__TLS__"
    known = {f"{settings}CA_FILE": paths["cert"], **{f"{settings}CLIENT__{n.upper()}": paths[n] for n in paths}}
    solving = solve_command(*options, env={**os.environ, **known})
    solving.communicate(timeout=120)
    assert solving.returncode == 0
    assert table.read_bytes() == compiled_table(load(GAME))
