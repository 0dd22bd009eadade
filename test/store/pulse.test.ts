import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Pulse, type Silence } from "../../src/store/pulse.ts";

const SECOND = 1000;

function setUp() {
  const told: (Silence | null)[] = [];
  let pings = 0;
  const pulse = new Pulse({ ping: () => pings++, onSilence: (silence) => told.push(silence) });
  pulse.start();
  pulse.works = true;
  return { pulse, told, pings: () => pings };
}

const seconds = (n: number) => vi.advanceTimersByTime(n * SECOND);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a worker that says nothing", () => {
  it("is asked first, and an alarm comes only when it does not answer", () => {
    const { told, pings } = setUp();
    seconds(15);
    expect(pings()).toBe(0);
    seconds(2);
    expect([pings(), told]).toEqual([1, []]);
    seconds(8);
    expect(told[0]).toMatchObject({ answers: false });
    expect(told[0]!.seconds).toBeGreaterThanOrEqual(20);
    expect(pings()).toBe(1);
  });

  it("calms down as soon as it is heard", () => {
    const { pulse, told } = setUp();
    seconds(30);
    pulse.hear({ type: "beat" });
    expect(told.at(-1)).toBeNull();
    seconds(10);
    expect(told.at(-1)).toBeNull();
  });

  it("that answers each question gives no alarm while its run is paused", () => {
    const { pulse, told, pings } = setUp();
    pulse.works = false;
    for (let i = 0; i < 120; i++) {
      const before = pings();
      seconds(1);
      if (pings() > before) pulse.hear({ type: "pong" });
    }
    expect(pings()).toBeGreaterThan(3);
    expect(told).toEqual([]);
  });

  it("that answers and yet does not get on gives one in the end", () => {
    const { pulse, told, pings } = setUp();
    for (let i = 0; i < 120; i++) {
      const before = pings();
      seconds(1);
      if (pings() > before) pulse.hear({ type: "pong" });
    }
    expect(told.at(-1)).toMatchObject({ answers: true });
    pulse.hear({ type: "beat" });
    expect(told.at(-1)).toBeNull();
  });
});

describe("no false alarm", () => {
  it("of a worker whose steps are long", () => {
    const { pulse, told } = setUp();
    for (let i = 0; i < 3; i++) {
      seconds(12);
      pulse.hear({ type: "beat" });
    }
    seconds(55);
    expect(told).toEqual([]);
  });

  it("of a page whose timers stood still: it was asked, and its answer comes after the first check", () => {
    const { pulse, told, pings } = setUp();
    seconds(3);
    // As after an hour in the background: the clock has gone on and no timer has fired.
    vi.setSystemTime(Date.now() + 3600 * SECOND);
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 3600 * SECOND);
    seconds(1);
    expect([pings(), told]).toEqual([1, []]);
    pulse.hear({ type: "pong" });
    seconds(2);
    expect(told).toEqual([]);
    vi.restoreAllMocks();
  });

  it("after the reader has chosen to wait, for a while", () => {
    const { pulse, told } = setUp();
    seconds(30);
    pulse.wait();
    expect(told.at(-1)).toBeNull();
    seconds(14);
    expect(told.at(-1)).toBeNull();
    seconds(16);
    expect(told.at(-1)).toMatchObject({ answers: false });
  });
});
