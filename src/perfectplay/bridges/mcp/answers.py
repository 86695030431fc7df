"""The requests of a client, and the processes that answer them, one after the other."""

import json
import os
import time
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import mcp.types as types
from anyio.to_thread import run_sync
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from perfectplay import __version__
from perfectplay.bridges.mcp import worker
from perfectplay.bridges.mcp.tools import BOTS, RULES, input_schema, tools
from perfectplay.bridges.mcp.worker import GAMES, TABLES, Message
from perfectplay.commands.parser import did_you_mean
from perfectplay.commands.terminal.signals import ENDING, exit_interrupted, print_interrupted
from perfectplay.players.bots.bot_program import Sandbox, usual_sandbox
from perfectplay.processes.child_processes import python_command
from perfectplay.processes.running_program import Program, ProgramFault
from perfectplay.processes.supervised_processes import supervisor
from perfectplay.rules.families import family_names

SLICE = 0.1
"""Seconds between two looks whether the client still wants the answer."""
JSON = "application/json"


class Workers:
    """Makes each answer in a process of its own with limits; a client's own files run in a sandbox, if there is one."""

    def __init__(self, seconds: float, memory: int) -> None:
        self.seconds, self.memory = seconds, memory
        self.by, self.turn = supervisor(), anyio.Lock()

    async def answer(self, name: str, arguments: Message | None) -> Message:
        """The result of a tool, or without arguments the text of a resource; or its error in one line."""
        own = not {RULES.name, BOTS.name}.isdisjoint(arguments or {})
        box = usual_sandbox() if own else Sandbox()
        box = Sandbox() if box.fault else box
        async with self.turn:
            with TemporaryDirectory(prefix="perfectplay-", ignore_cleanup_errors=True) as folder:
                deadline = time.monotonic() + self.seconds
                program = Program(
                    self.by,
                    [*box.before, *python_command(worker.__name__)],
                    self.memory >> 20,
                    box.namespaces,
                    environment={**os.environ, "TMPDIR": folder},
                )
                line = json.dumps({"name": name, "arguments": arguments, "memory": self.memory}).encode() + b"\n"
                try:
                    await run_sync(program.send, line, deadline)
                    while time.monotonic() < deadline:
                        with suppress(TimeoutError):
                            found: Message = json.loads(await run_sync(program.line, time.monotonic() + SLICE))
                            return found
                except TimeoutError:
                    pass
                except ProgramFault as fault:
                    return {"error": f"{name} {fault}"}
                finally:
                    program.kill()
        return {"error": f"{name} took longer than {self.seconds:g} s"}


async def serve(seconds: float, memory: int, instructions: str) -> None:
    """Answers until standard input ends, or a signal asks to end."""
    workers = Workers(seconds, memory)
    handlers = Handlers(workers)
    server = Server(
        "perfectplay",
        version=__version__,
        instructions=instructions,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_read_resource=handlers.read_resource,
    )
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(end_by_signal, workers)
        async with stdio_server() as (source, sink):
            await server.run(source, sink, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def end_by_signal(workers: Workers) -> None:
    """Ends the program, which may be reading in a thread that nothing interrupts."""
    with anyio.open_signal_receiver(*ENDING) as numbers:
        async for number in numbers:
            workers.by.close()
            print_interrupted("tables that were solved are kept")
            exit_interrupted(128 + number)


class Handlers:
    """What each request of the protocol is answered with."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.tools = {one.name: one for one in tools()}

    async def list_tools(self, *_: Any) -> types.ListToolsResult:
        """The tools."""
        found = [
            types.Tool(name=one.name, description=one.summary, input_schema=input_schema(one))
            for one in self.tools.values()
        ]
        return types.ListToolsResult(tools=found)

    async def call_tool(self, _: Any, request: types.CallToolRequestParams) -> types.CallToolResult:
        """The result of a tool."""
        if request.name in self.tools:
            answer = await self.workers.answer(request.name, request.arguments or {})
        else:
            answer = {"error": f"no tool is called {request.name!r}{did_you_mean(request.name, self.tools)}"}
        text = types.TextContent(type="text", text=answer.get("error") or answer["text"])
        return types.CallToolResult(content=[text], structured_content=answer.get("facts"), is_error="error" in answer)

    async def list_resources(self, *_: Any) -> types.ListResourcesResult:
        """The list of games, the page of each, and the tables that are kept."""
        whole = [
            types.Resource(uri=GAMES, name="games", description="all built-in games", mime_type=JSON),
            types.Resource(uri=TABLES, name="tables", description="the games that are solved", mime_type=JSON),
        ]
        pages = [types.Resource(uri=f"{GAMES}/{name}", name=name, mime_type=JSON) for name in family_names()]
        return types.ListResourcesResult(resources=whole + pages)

    async def read_resource(self, _: Any, request: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """The text of a resource; raises MCPError."""
        address = str(request.uri)
        answer = await self.workers.answer(address, None)
        if "error" in answer:
            raise MCPError(types.INVALID_PARAMS, answer["error"])
        contents = types.TextResourceContents(uri=address, mime_type=JSON, text=answer["text"])
        return types.ReadResourceResult(contents=[contents])
