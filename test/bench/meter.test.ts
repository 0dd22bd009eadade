/** The JavaScript time of a part of a program is what that part takes, by a clock that we wind ourselves. */
import { afterEach, expect, test, vi } from "vitest";
import type { Contender } from "./contender.ts";
import { hostVerdict, hostWords } from "./hostTime.ts";
import { measureCell } from "./measure.ts";
import { Meter } from "./meter.ts";

let clock = 0;
const pass = (milliseconds: number) => void (clock += milliseconds);

/** After everything that has been begun. */
const later = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Stand-ins for what a program asks of WebGPU. */
class Pass {
  dispatchWorkgroups() {}
}
class Queue {
  submit() {}
  async onSubmittedWorkDone() {}
}
class Buffer {
  async mapAsync() {
    await later();
    pass(1000);
  }
}
class Device {
  async popErrorScope() {
    await later();
    pass(10);
  }
}
Object.assign(globalThis, { GPUDevice: Device });
Object.assign(globalThis, { GPUComputePassEncoder: Pass, GPUQueue: Queue, GPUBuffer: Buffer });
const meter = new Meter();
meter.install();
const [encoder, queue, buffer] = [new Pass(), new Queue(), new Buffer()];

function dispatch(times: number, milliseconds: number): void {
  for (let i = 0; i < times; i++) {
    pass(milliseconds);
    encoder.dispatchWorkgroups();
  }
}

const wind = () => vi.spyOn(performance, "now").mockImplementation(() => (clock += 0.001));
afterEach(() => void vi.restoreAllMocks());

test("time is counted from the given dispatch to the last submit, without the device's", async () => {
  wind();
  const body = async () => {
    dispatch(10, 3);
    queue.submit();
    await buffer.mapAsync();
    dispatch(10, 0.5);
    queue.submit();
    pass(100);
  };
  const whole = await meter.read(body);
  expect(whole.counts).toMatchObject({ dispatches: 20, submits: 2 });
  expect(whole.host).toBeCloseTo(35, 1);
  expect((await meter.read(body, 10)).host).toBeCloseTo(5, 1);
  expect((await meter.read(async () => pass(5))).host).toBeNaN();
});

test("computing while the device owes an answer is not waiting", async () => {
  wind();
  const device = new Device();
  const reading = await meter.read(async () => {
    const scope = device.popErrorScope();
    dispatch(10, 3);
    await scope;
    dispatch(10, 2);
    queue.submit();
  });
  expect(reading.host).toBeCloseTo(50, 1);
});

test("a decoded token's time is its own, however long the prompt took", async () => {
  wind();
  let prompt = 50;
  const contender: Contender = {
    about: "",
    trainer: () => Promise.reject(new Error("not asked for")),
    decoder: async () => ({
      generate: async (tokens) => {
        dispatch(20, prompt++);
        for (let t = 1; t < tokens; t++) dispatch(5, 0.02);
        queue.submit();
        return [];
      },
    }),
  };
  const cell = await measureCell(contender, "decode-64", { repeats: 3, seconds: 1e6 }, meter);
  expect(cell.host).toHaveLength(3);
  for (const host of cell.host) expect(host).toBeCloseTo(0.1, 3);
  expect(cell.counts.dispatches).toBe(5);
  expect(hostVerdict("decode-64", cell)).toMatch(/^- holds: JavaScript under 0.2 ms per decoded/);
});

test("what the clock cannot tell from nothing is not given as a number", () => {
  expect(hostWords({ host: [0, 0.0001, 0], hostNoise: 0.005 })).toBe("n/a");
  expect(hostWords({ host: [NaN], hostNoise: 0.005 })).toBe("-");
  expect(hostWords({ host: [2, 1, 4], hostNoise: 0.005 })).toBe("2 (1-4)");
  expect(hostVerdict("train-64x4", { host: [2], hostNoise: 0 })).toContain("MISSED");
});
