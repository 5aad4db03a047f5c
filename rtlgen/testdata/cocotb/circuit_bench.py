"""A direct circuit with bursts, c[i] = a[i] + b[i], between an AXI4-Lite master and an AXI4 slave that
know nothing of LOOM.

All arrays are behind one master. Every channel of every bus pauses at random. The memory behind the
slave refuses single elements, so an error comes in the middle of a burst. cocotbext-axi checks that
no burst crosses 4 KB and that WLAST comes with its last beat.
"""

import itertools
import json
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer, with_timeout
from cocotbext.axi import (AxiBus, AxiLiteBus, AxiLiteMaster, AxiResp, AxiSlaveRead, AxiSlaveWrite)

with open(os.environ["LOOM_DESIGN"]) as file:
    DESIGN = json.load(file)
REG = DESIGN["registers"]
BURST = DESIGN["burst"]
WORD = DESIGN["word"]  # bytes of a word of the bus


class Memory:
    """Bytes by address, which take some time, and three times that to be written; what lies at an address of bad is refused."""

    def __init__(self):
        self.bytes, self.bad, self.refused, self.time = {}, set(), 0, 0

    async def check(self, address, length, time):
        if time:
            await Timer(time, "ns")
        if self.bad.intersection(range(address, address + length)):
            self.refused += 1
            raise Exception("refused")

    async def read(self, address, length):
        # The slave reads whole words of its bus, whatever a beat asks for: Bench.watch looks at that.
        await self.check(address, length, self.time)
        return bytes(self.bytes.get(address + k, 0xA5) for k in range(length))

    async def write(self, address, data):
        await self.check(address, len(data), 3 * self.time)
        for k, value in enumerate(data):
            assert address + k in self.bytes, f"a write to {address + k:#x}, where nothing lies"
            self.bytes[address + k] = value

    def place(self, address, words):
        for k, value in enumerate(words):
            for b, byte in enumerate(value.to_bytes(4, "little")):
                self.bytes[address + 4 * k + b] = byte

    def word(self, address):
        return int.from_bytes(bytes(self.bytes[address + k] for k in range(4)), "little")


class Bench:
    def __init__(self, dut, seed):
        self.dut, self.random, self.memory = dut, random.Random(seed), Memory()
        self.lengths = {"aw": [], "ar": []}  # the elements of the bursts
        cocotb.start_soon(Clock(dut.clk, 10, units="ns").start())
        reset = {"clock": dut.clk, "reset": dut.aresetn, "reset_active_level": False}
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), **reset)
        bus = AxiBus.from_prefix(dut, "m_axi")
        reads = AxiSlaveRead(bus.read, target=self.memory, **reset)
        writes = AxiSlaveWrite(bus.write, target=self.memory, **reset)
        for side in (self.master.write_if, self.master.read_if, reads, writes):
            for name in ("aw_channel", "w_channel", "b_channel", "ar_channel", "r_channel"):
                channel = getattr(side, name, None)
                if channel is not None:
                    channel.set_pause_generator(self.random.random() < 0.4 for _ in itertools.count())
        cocotb.start_soon(self.watch())

    async def watch(self):
        while True:
            await RisingEdge(self.dut.clk)
            for name, lengths in self.lengths.items():
                valid, ready, length, size, address = (getattr(self.dut, f"m_axi_{name}{end}").value for end in ("valid", "ready", "len", "size", "addr"))
                if valid.is_resolvable and ready.is_resolvable and valid and ready:
                    first, n = int(address), (int(length) + 1) << int(size)
                    assert 4 <= 1 << int(size) <= WORD and first % (1 << int(size)) == 0
                    assert all(first + k in self.memory.bytes for k in range(n)), f"{name} of {n} bytes at {first:#x}, where not all are"
                    lengths.append(n // 4)

    async def write(self, address, value):
        response = await with_timeout(self.master.write(address, value.to_bytes(4, "little")), 100, "us")
        assert response.resp == AxiResp.OKAY, f"write of {address:#x}: {response.resp}"

    async def read(self, address):
        response = await with_timeout(self.master.read(address, 4), 100, "us")
        assert response.resp == AxiResp.OKAY, f"read of {address:#x}: {response.resp}"
        return int.from_bytes(response.data, "little")

    async def pair(self, address, value):
        await self.write(address, value & 0xFFFFFFFF)
        await self.write(address + 4, value >> 32)

    async def reset(self):
        self.dut.aresetn.value = 0
        await ClockCycles(self.dut.clk, 5)
        self.dut.aresetn.value = 1
        await ClockCycles(self.dut.clk, 3)
        await self.enable()

    async def enable(self):
        await self.write(REG["ARG_ENABLE"], 0b11)
        await self.write(REG["RESULT_ENABLE"], 0b1)
        await self.write(REG["IRQ_ENABLE"], 3)

    async def start(self, n):
        """Places the arrays anew, near the end of a page, and starts the loop; returns their addresses."""
        self.memory.bytes, self.memory.bad, self.memory.refused = {}, set(), 0
        self.arrays = [(1 << 40) + (k << 20) + 4096 - 4 * self.random.randrange(1, 64) for k in range(3)]
        for base in self.arrays:
            self.memory.place(base, [self.random.getrandbits(32) for _ in range(n)])
        for k, base in enumerate(self.arrays):
            await self.pair(REG["BASE"] + 8 * k, base)
        await self.pair(REG["ARG"], n)
        await self.pair(REG["ARG"] + 8, 0)
        self.lengths["aw"].clear()
        self.lengths["ar"].clear()

    async def end(self, event):
        if not self.dut.irq.value:
            await with_timeout(RisingEdge(self.dut.irq), 1, "ms")
        assert await self.read(REG["IRQ_STATUS"]) & event

    def check(self, n, but=()):
        a, b, c = self.arrays
        for i in range(n):
            if i not in but:
                want = (self.memory.word(a + 4 * i) + self.memory.word(b + 4 * i)) & 0xFFFFFFFF
                assert self.memory.word(c + 4 * i) == want, f"c[{i}]"


@cocotb.test()
async def bursts(dut):
    """Runs of several lengths: every element once, in bursts up to the length that is chosen."""
    b = Bench(dut, 1)
    await b.reset()
    for n in (1, BURST, 200, 0, 3 * BURST + 1):
        b.memory.time = 40 if n == 200 else 0  # one that makes accesses wait
        await b.start(n)
        await b.write(REG["CONTROL"], 2)
        await b.end(1)
        await b.write(REG["IRQ_STATUS"], 1)
        b.check(n)
        assert sum(b.lengths["ar"]) == 2 * n and sum(b.lengths["aw"]) == n, "not every element once"
        if n == 200:
            for lengths in b.lengths.values():
                assert max(lengths) == BURST and len(lengths) < sum(lengths) // 2, lengths


@cocotb.test()
async def errors(dut):
    """A refused element of a burst is reported, of a read alone; a reset ends it, in a run, too."""
    b = Bench(dut, 2)
    await b.reset()
    b.memory.time = 40
    for array in (0, 1, 2):
        await b.start(120)
        bad = b.arrays[array] + 4 * 77
        b.memory.bad = set(range(bad, bad + 4))
        before = b.memory.word(b.arrays[2] + 4 * 77)
        await b.write(REG["CONTROL"], 2)
        await b.end(2)
        assert await b.read(REG["ERROR"]) == 513
        await ClockCycles(dut.clk, 4000)  # the run goes on to its end
        assert 1 <= b.memory.refused <= WORD // 4
        beat = {k for k in range(120) if (b.arrays[array] + 4 * k) // WORD == bad // WORD}  # are refused with it
        b.check(120, but=beat)
        assert max(b.lengths["aw" if array == 2 else "ar"]) == BURST
        if array == 2:
            assert b.memory.word(bad) == before
        await b.write(REG["CONTROL"], 1)
        await b.enable()
        # A run that a reset cuts off leaves nothing for the next.
        await b.start(200)
        await b.write(REG["CONTROL"], 2)
        await ClockCycles(dut.clk, b.random.randrange(100, 600))
        await b.write(REG["CONTROL"], 1)
        while not await b.read(REG["STATUS"]) & 0b10000:
            pass
        await b.enable()
        await b.start(64)
        await b.write(REG["CONTROL"], 2)
        await b.end(1)
        assert await b.read(REG["ERROR"]) == 0
        await b.write(REG["IRQ_STATUS"], 1)
        b.check(64)
