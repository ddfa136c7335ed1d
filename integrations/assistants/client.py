"""Client of `heaplens mcp` that counts what its answers cost."""
import json
import re
import time
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

FENCE = re.compile(r"^<(heap-data-[0-9a-f]+)>\n(.*)\n</\1>$", re.MULTILINE | re.DOTALL)


class ToolError(Exception):
    """A tool refused the call, in its own words."""


class Counted:
    """A session, with calls, bytes of answers and seconds since `reset`."""

    def __init__(self, session):
        self.session = session
        self.reset()

    def reset(self):
        self.calls, self.bytes, self.began = 0, 0, time.monotonic()

    @property
    def seconds(self):
        return time.monotonic() - self.began

    async def text(self, tool, arguments):
        """Text of an answer, and whether it is an error."""
        result = await self.session.call_tool(tool, arguments)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        self.calls += 1
        self.bytes += sum(len(part.model_dump_json().encode()) for part in result.content)
        return text, bool(result.is_error)

    async def ask(self, tool, **arguments):
        """Data of an answer: the JSON in its fence."""
        given = {name: value for name, value in arguments.items() if value is not None}
        text, is_error = await self.text(tool, given)
        if is_error:
            raise ToolError(f"{tool} {json.dumps(given)}: {text}")
        fenced = FENCE.search(text)
        if fenced is None:
            raise ToolError(f"{tool} {json.dumps(given)}: no fenced data in: {text[:200]}")
        return json.loads(fenced[2])


@asynccontextmanager
async def connected(command, **options):
    """A session with a server that is started by `command`, a list of words."""
    server = StdioServerParameters(command=command[0], args=command[1:])
    async with stdio_client(server) as (reader, writer):
        async with ClientSession(reader, writer, **options) as session:
            greeting = await session.initialize()
            yield session, greeting
