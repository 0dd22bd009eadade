import { describe, expect, it, vi } from "vitest";
import { readPreferences } from "../../src/store/preferences.ts";
import { throttle } from "../../src/store/throttle.ts";

describe("throttle", () => {
  it("calls at once, then at most once per interval, and never drops the last", () => {
    vi.useFakeTimers();
    const run = vi.fn();
    const request = throttle(run, 100);
    request();
    expect(run).toHaveBeenCalledTimes(1);
    for (let i = 0; i < 9; i++) request();
    expect(run).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(100);
    expect(run).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(500);
    expect(run).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it("flushes and cancels what is waiting", () => {
    vi.useFakeTimers();
    const run = vi.fn();
    const request = throttle(run, 100);
    request();
    request();
    request.flush();
    expect(run).toHaveBeenCalledTimes(2);
    request();
    request.cancel();
    vi.advanceTimersByTime(500);
    expect(run).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });
});

describe("preferences", () => {
  const defaults = { theme: null, shortcuts: true, lowPower: false, layouts: [] };

  it("survive whatever storage holds or does", () => {
    for (const value of [null, "", [], "x", { theme: "pink" }, { theme: {} }])
      expect(readPreferences(value)).toEqual(defaults);
    const layouts = [{ name: "Mine", dock: "curves" }];
    const chosen = { theme: "dark", shortcuts: false, lowPower: true, layouts };
    expect(readPreferences(chosen)).toEqual(chosen);
    const broken = [{ name: "Mine" }, null, 3, { name: 1, dock: "curves" }];
    expect(readPreferences({ layouts: broken })).toEqual(defaults);
  });
});
