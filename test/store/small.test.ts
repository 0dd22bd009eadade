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
  const from = (text: string | null) => readPreferences({ getItem: () => text });
  const defaults = { theme: null, shortcuts: true, lowPower: false, layouts: [] };

  it("survive whatever storage holds or does", () => {
    for (const text of [null, "", "null", "[]", "{", '"x"', '{"theme":"pink"}', '{"theme":{}}'])
      expect(from(text)).toEqual(defaults);
    const layouts = [{ name: "Mine", dock: "curves" }];
    const chosen = { theme: "dark", shortcuts: false, lowPower: true, layouts };
    expect(from(JSON.stringify(chosen))).toEqual(chosen);
    expect(from('{"layouts":[{"name":"Mine"},null,3,{"name":1,"dock":"curves"}]}')).toEqual(
      defaults,
    );
    const forbidden = () => {
      throw new Error("denied");
    };
    expect(readPreferences({ getItem: forbidden })).toEqual(defaults);
    expect(readPreferences(null)).toEqual(defaults);
  });
});
