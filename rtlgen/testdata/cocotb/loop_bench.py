"""<adg>_top between an AXI4-Lite master and AXI4 memories that know nothing of LOOM.

The fabric runs s = init; for i in start..bound by step: v = x[i]; y[i] = v; s += v. Every
channel of every bus pauses at random. What is expected comes from docs/registers.md.
"""

import itertools
import json
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import (AxiLiteBus, AxiLiteMaster, AxiRamRead, AxiRamWrite, AxiReadBus, AxiResp, AxiWriteBus)

with open(os.environ["LOOM_DESIGN"]) as file:
    DESIGN = json.load(file)
REG = DESIGN["registers"]
SIZE = 1 << 16


class Bench:
    def __init__(self, dut, seed):
        self.dut, self.random = dut, random.Random(seed)
        cocotb.start_soon(Clock(dut.clk, 10, units="ns").start())
        reset = {"clock": dut.clk, "reset": dut.aresetn, "reset_active_level": False}
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), **reset)
        self.x = AxiRamRead(AxiReadBus.from_prefix(dut, DESIGN["reads"]), size=SIZE, **reset)
        self.y = AxiRamWrite(AxiWriteBus.from_prefix(dut, DESIGN["writes"]), size=SIZE, **reset)
        for side in (self.master.write_if, self.master.read_if, self.x, self.y):
            for name in ("aw_channel", "w_channel", "b_channel", "ar_channel", "r_channel"):
                channel = getattr(side, name, None)
                if channel is not None:
                    channel.set_pause_generator(self.random.random() < 0.4 for _ in itertools.count())

    async def reset(self):
        self.dut.aresetn.value = 0
        await ClockCycles(self.dut.clk, 5)
        self.dut.aresetn.value = 1
        await ClockCycles(self.dut.clk, 3)

    async def write(self, address, value, ok=True):
        response = await with_timeout(self.master.write(address, value.to_bytes(4, "little")), 100, "us")
        assert response.resp == (AxiResp.OKAY if ok else AxiResp.SLVERR), f"write of {address:#x}: {response.resp}"

    async def read(self, address, ok=True):
        response = await with_timeout(self.master.read(address, 4), 100, "us")
        assert response.resp == (AxiResp.OKAY if ok else AxiResp.SLVERR), f"read of {address:#x}: {response.resp}"
        return int.from_bytes(response.data, "little")

    async def pair(self, address, value):
        # Both halves at once: the master sends the second before the first is answered.
        low = cocotb.start_soon(self.write(address, value & 0xFFFFFFFF))
        high = cocotb.start_soon(self.write(address + 4, value >> 32))
        await low
        await high

    async def load(self, words):
        for word in words[:-1]:
            await self.write(REG["CFG_DATA"], word)
        await self.write(REG["CFG_LAST"], words[-1])

    async def run(self, n, step, init):
        """Places both arrays anew, runs the loop and checks everything that it leaves."""
        x, y = (8 * self.random.randrange(SIZE // 16) for _ in range(2))
        data = [self.random.getrandbits(32) for _ in range(n)]
        for k, value in enumerate(data):
            self.x.write(x + 4 * k, value.to_bytes(4, "little"))
            self.y.write(y + 4 * k, bytes(4))
        await self.pair(REG["BASE"], x)
        await self.pair(REG["BASE"] + 8, y)
        for k, value in enumerate([0, step, n, init, 0]):
            await self.pair(REG["ARG"] + 8 * k, value)
        await self.write(REG["CONTROL"], 2)
        if n > 8:
            await self.write(REG["ARG"], 1, ok=False)
            await self.write(REG["CONTROL"], 2, ok=False)
        if not self.dut.irq.value:
            await with_timeout(RisingEdge(self.dut.irq), 1, "ms")
        assert await self.read(REG["STATUS"]) == 0b10101
        assert await self.read(REG["IRQ_STATUS"]) == 1
        await self.write(REG["IRQ_STATUS"], 1)
        await ClockCycles(self.dut.clk, 2)
        assert not self.dut.irq.value
        taken = range(0, n, step)
        total = (init + sum(data[k] for k in taken)) & 0xFFFFFFFF
        assert await self.read(REG["RESULT"]) == total
        assert await self.read(REG["RESULT_VALID"]) == 0b11
        cycles = await self.read(REG["CYCLES_LO"])
        assert await self.read(REG["CYCLES_HI"]) == 0
        assert len(taken) < cycles < 200 * (n + 2), cycles
        for k, value in enumerate(data):
            left = int.from_bytes(self.y.read(y + 4 * k, 4), "little")
            assert left == (value if k in taken else 0), f"y[{k}]"


@cocotb.test()
async def registers(dut):
    """What exists reads as documented, strobes count, everything else is refused."""
    b = Bench(dut, 1)
    await b.reset()
    assert await b.read(REG["MAGIC"]) == 0x4D4F4F4C
    assert await b.read(REG["VERSION"]) == DESIGN["version"]
    assert await b.read(REG["HASH_LO"]) | await b.read(REG["HASH_HI"]) << 32 == int(DESIGN["layout_hash"], 16)
    assert await b.read(REG["PORTS"]) == 5 | 2 << 16
    assert await b.read(REG["BASE_COUNT"]) == 2
    assert await b.read(REG["STATUS"]) & 0b1111 == 0
    for address in (0x03C, 0x088, 0x3FC, REG["ARG"], REG["RESULT"] + 16, REG["BASE"], REG["CONTROL"], REG["CFG_DATA"], 0xFFC):
        assert await b.read(address, ok=False) == 0
    for address in (0x03C, 0x088, REG["MAGIC"], REG["STATUS"], REG["RESULT"], REG["ARG"] + 40, REG["BASE"] + 16, 0xFFC):
        await b.write(address, 0, ok=False)
    await b.write(REG["CONTROL"], 2, ok=False)  # not configured
    await b.write(REG["MEM_SELECT"], 0x04030201)
    response = await b.master.write(REG["MEM_SELECT"] + 1, b"\xaa\xbb")
    assert response.resp == AxiResp.OKAY and await b.read(REG["MEM_SELECT"]) == 0x04BBAA01
    response = await b.master.write(REG["CFG_DATA"], b"\x01")
    assert response.resp == AxiResp.SLVERR
    # Posted accesses are answered in order.
    for value in range(20):
        await b.write(REG["MEM_ADDR"], value)
        reads = [cocotb.start_soon(b.read(REG["MEM_ADDR"])) for _ in range(3)]
        assert [await r for r in reads] == [value] * 3


@cocotb.test()
async def runs(dut):
    """One image, many runs at other addresses; a reset; an image of the wrong length."""
    b = Bench(dut, 2)
    await b.reset()
    for attempt in range(2):
        await b.load(DESIGN["image"])
        assert await b.read(REG["STATUS"]) & 1
        await b.write(REG["ARG_ENABLE"], 0b11111)
        await b.write(REG["RESULT_ENABLE"], 0b11)
        await b.write(REG["IRQ_ENABLE"], 3)
        for n, step in ((1, 1), (40, 1), (0, 1), (17, 3), (25, 2)):
            await b.run(n, step, b.random.getrandbits(32))
        await b.load(DESIGN["image"][1:])
        if not dut.irq.value:
            await with_timeout(RisingEdge(dut.irq), 10, "us")
        assert await b.read(REG["IRQ_STATUS"]) == 2
        assert await b.read(REG["ERROR"]) == 514
        await b.write(REG["CONTROL"], 2, ok=False)
        await b.write(REG["CONTROL"], 1)
        assert await b.read(REG["STATUS"]) & 0b1111 == 0
        assert await b.read(REG["IRQ_STATUS"]) == 0 and not dut.irq.value
