"""The protocol by hand: one JSON object in each line, both ways."""
import asyncio
import json
import os
import time


class Wire:
    """A server and the requests to it. Also sends what no proper client would."""

    def __init__(self, command, environment):
        self.command, self.environment = command, {**os.environ, **environment}
        self.last, self.pending, self.notifications, self.strange, self.errors = 0, {}, [], [], ""

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            *self.command, env=self.environment, limit=1 << 26,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )
        self.tasks = [asyncio.create_task(self.read()), asyncio.create_task(self.read_errors())]
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        for task in self.tasks:
            task.cancel()

    async def read(self):
        async for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                self.strange.append(line.decode(errors="replace"))
                continue
            if "method" in message:
                self.notifications.append(message)
            elif message.get("id") in self.pending and not self.pending[message["id"]].done():
                self.pending[message["id"]].set_result(message)
        for waiting in self.pending.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError(f"the server ended: {self.errors[-300:]}"))

    async def read_errors(self):
        async for line in self.process.stderr:
            self.errors += line.decode(errors="replace")

    async def raw(self, line):
        self.process.stdin.write(line)
        await self.process.stdin.drain()

    async def begin(self, method, params):
        """Sends a request; returns its number and its answer to come."""
        self.last += 1
        self.pending[self.last] = asyncio.get_running_loop().create_future()
        # Nobody may ask for the end of a call that was cancelled.
        self.pending[self.last].add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        await self.raw((json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}) + "\n").encode())
        return self.last, self.pending[self.last]

    async def ask(self, method, params):
        number, pending = await self.begin(method, params)
        try:
            return await asyncio.wait_for(pending, 60)
        finally:
            del self.pending[number]

    async def tell(self, method, params):
        await self.raw((json.dumps({"jsonrpc": "2.0", "method": method, "params": params}) + "\n").encode())

    async def greet(self):
        client = {"name": "drive", "version": "1"}
        hello = await self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        await self.tell("notifications/initialized", {})
        return hello

    def rss_kib(self):
        """Resident memory of the server."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def cpu_share(self):
        """Share of one core that the server uses during a second."""
        def ticks():
            with open(f"/proc/{self.process.pid}/stat") as stat:
                return sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13]))

        begin = ticks()
        time.sleep(1)
        return (ticks() - begin) / os.sysconf("SC_CLK_TCK")

    async def close(self):
        """Ends the server's input; returns its status and the seconds it took."""
        began = time.monotonic()
        self.process.stdin.close()
        try:
            status = await asyncio.wait_for(self.process.wait(), 20)
        except asyncio.TimeoutError:
            status = None
        await asyncio.sleep(0.1)
        return status, time.monotonic() - began
