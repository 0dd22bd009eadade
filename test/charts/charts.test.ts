import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { whileVisible } from "../../src/charts/chartSync.ts";
import { niceTicks } from "../../src/numeric/axis.ts";
import {
  crashHeightOf,
  curveFrom,
  describeCurve,
  type Curve,
} from "../../src/figures/curves/curve.ts";
import { drawnTable } from "../../src/figures/curves/table.ts";
import { fitAxis } from "../../src/numeric/scale.ts";
import { downsample, MAX_POINTS } from "../../src/numeric/downsample.ts";
import {
  formatDuration,
  formatNumber,
  shorten,
  formatFixed,
  formatPercent,
  formatSigned,
} from "../../src/numeric/format.ts";
import { lineStyle, lineStyles } from "../../src/charts/palette.ts";
import { signedScale, toneBackground } from "../../src/charts/signedScale.ts";
import { signedLimit } from "../../src/numeric/signedLimit.ts";
import { tickStep } from "../../src/charts/CurvePlot.tsx";

const column = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
      fc.constant(null),
    ),
    {
      minLength: 1,
      maxLength: 3000,
    },
  )
  .map((y) => ({ x: y.map((_, i) => i + 1), y }));

describe("what charts share", () => {
  it("does not move in a chart out of sight, and catches up", () => {
    const state = { reading: 3 as number | null, mark: 1 };
    const listeners = new Set<() => void>();
    const sync = whileVisible({
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      ...{ reading: () => state.reading, mark: () => state.mark },
      ...{
        read: () => undefined,
        zoom: () => undefined,
        brush: () => null,
        select: () => undefined,
        choose: () => undefined,
      },
    });
    let told = 0;
    const stop = sync.subscribe(() => told++);
    const change = (reading: number | null, mark: number) => {
      Object.assign(state, { reading, mark });
      for (const listener of listeners) listener();
      return [told, sync.reading(), sync.mark()];
    };
    expect(change(4, 2)).toEqual([1, 4, 2]);
    sync.setVisible(false);
    expect(change(5, 3)).toEqual([1, 4, 2]);
    sync.setVisible(true);
    expect([told, sync.reading(), sync.mark()]).toEqual([2, 5, 3]);
    stop();
    expect(change(null, 4)).toEqual([2, null, 4]);
    expect(listeners.size).toBe(0);
  });
});

describe("numbers along x", () => {
  it("are left out where they would touch, evenly", () => {
    const texts = ["0", "500", "1000", "1500", "2000"];
    expect(tickStep(texts, 400)).toBe(1);
    expect(tickStep(texts, 120)).toBe(2);
    expect(tickStep(["2 min 30 s", "5 min 0 s"], 60)).toBe(2);
    expect([tickStep([], 100), tickStep(["1"], 100), tickStep(texts, 0)]).toEqual([1, 1, 38]);
  });
});

describe("downsample", () => {
  it("leaves short series alone", () => {
    expect(downsample([1, 2, 3], [5, null, 7])).toEqual([
      { x: 1, y: 5 },
      { x: 2, y: null },
      { x: 3, y: 7 },
    ]);
  });

  it("keeps at most 250 points, the extremes, the newest, and that there were gaps", () => {
    fc.assert(
      fc.property(column, ({ x, y }) => {
        const points = downsample(x, y);
        expect(points.length).toBeLessThanOrEqual(MAX_POINTS);
        const finite = y.filter((value) => value !== null);
        const kept = points.map((point) => point.y).filter((value) => value !== null);
        const extremes = (values: number[]) => [
          values.reduce((a, b) => Math.min(a, b), Infinity),
          values.reduce((a, b) => Math.max(a, b), -Infinity),
        ];
        expect(extremes(kept)).toEqual(extremes(finite));
        expect(points.at(-1)).toEqual({ x: x.at(-1), y: y.at(-1) });
        expect(points.some((point) => point.y === null)).toBe(y.includes(null));
      }),
    );
  });

  it("makes no number up and keeps the order", () => {
    fc.assert(
      fc.property(column, ({ x, y }) => {
        const points = downsample(x, y, 40);
        expect(points.every((point) => y[x.indexOf(point.x)] === point.y)).toBe(true);
        expect(points.every((point, i) => i === 0 || point.x > points[i - 1]!.x)).toBe(true);
      }),
    );
  });

  it("is stable: one more point changes few kept ones, except when the buckets double", () => {
    const y = Array.from({ length: 4000 }, (_, i) => Math.sin(i * i));
    const x = y.map((_, i) => i);
    let jumps = 0;
    for (let n = 300; n < 1500; n++) {
      const before = new Set(downsample(x.slice(0, n), y.slice(0, n)).map((point) => point.x));
      const after = new Set(
        downsample(x.slice(0, n + 1), y.slice(0, n + 1)).map((point) => point.x),
      );
      const changed = [...after].filter((at) => !before.has(at)).length;
      const gone = [...before].filter((at) => !after.has(at)).length;
      if (changed + gone > 4) jumps++;
    }
    expect(jumps).toBeLessThanOrEqual(3);
  });
});

describe("signedScale", () => {
  it("is symmetric about 0 and clamped at the 2 and 98 % quantiles", () => {
    const values = [...Array.from({ length: 99 }, (_, i) => (i - 49) / 50), 1000];
    const limit = signedLimit(values);
    expect(limit).toBeLessThan(1);
    const scale = signedScale(values);
    expect(scale(1000)).toEqual({ sign: "positive", strength: 1 });
    expect(scale(-0.3).strength).toBeCloseTo(scale(0.3).strength, 12);
    expect(scale(-0.3).sign).toBe("negative");
    expect(scale(0)).toEqual({ sign: "zero", strength: 0 });
  });

  it("has no tone for what is written as 0, and none of a wide bar for what hardly is not", () => {
    const tiny = signedScale([3e-15, -4e-16]);
    expect(tiny(3e-15)).toEqual({ sign: "zero", strength: 0 });
    // Of their own row they would be the largest; beside rewards of 10.9 they are nothing, or little.
    const beside = signedScale([0.0004, 0.006], 10.9);
    expect(beside(0.0004).sign).toBe("zero");
    expect(beside(0.006)).toEqual({ sign: "positive", strength: 0.12 });
    expect(signedScale([0.0004, -0.0002])(0.0004).strength).toBeGreaterThan(0.9);
  });

  it("never divides by nothing", () => {
    for (const values of [[], [0, 0], [Number.NaN]]) {
      expect(signedScale(values)(3)).toEqual({ sign: "zero", strength: 0 });
      expect(signedScale(values)(Number.NaN).sign).toBe("zero");
    }
  });

  it("mixes towards the page's background", () => {
    expect(toneBackground({ sign: "zero", strength: 0 })).toBe("transparent");
    expect(toneBackground({ sign: "positive", strength: 1 })).toMatch(
      /--plus\) 50%, var\(--page\)/,
    );
  });
});

describe("numbers on screen", () => {
  it.each([
    [0, "0.000"],
    [-0, "0.000"],
    [-0.5, "−0.500"],
    [0.0014, "0.00140"],
    [0.0234, "0.0234"],
    [0.1, "0.100"],
    // A ratio that has moved a little is not 1; what is off by rounding is.
    [1.0004, "1.00040"],
    [0.99996, "0.99996"],
    [1.0000001, "1.000"],
    [12.345, "12.35"],
    [123.45, "123.5"],
    [12_345, "12345"],
    [1e-5, "1.00e−5"],
    [2e7, "2.00e+7"],
    [null, "not a number"],
    [Number.NaN, "not a number"],
    [Infinity, "not a number"],
  ])("%s is written %s", (value, text) => expect(formatNumber(value)).toBe(text));

  it.each([
    ["0.800", "0.8"],
    ["+2.000", "+2"],
    ["100", "100"],
    ["10.0\u00a0%", "10\u00a0%"],
    ["1.50e+10", "1.5e+10"],
    ["\u22121.00e+30", "\u22121e+30"],
  ])("%s is shortened to %s", (text, short) => expect(shorten(text)).toBe(short));

  it("shows the sign of credits, and shares as percent", () => {
    expect(formatSigned(0.25)).toBe("+0.250");
    expect(formatSigned(-0.25)).toBe("−0.250");
    expect(formatSigned(0)).toBe("0.000");
    expect(formatPercent(0.125)).toBe("12.5\u00a0%");
    expect([5, 65, 3700].map(formatDuration)).toEqual(["5 s", "1 min 5 s", "1 h 1 min"]);
  });
});

describe("charts in words", () => {
  type Points = [x: number, y: number | null][];
  const curve = (points: Points, crashes: Curve["crashes"] = []) =>
    curveFrom({
      ...{ id: "grpo", name: "GRPO", crashes },
      x: points.map(([x]) => x),
      y: points.map(([, y]) => y),
    });
  const say = (one: Curve) => describeCurve(one, "iteration", String, String);

  it("say first, last, highest and a crash, and never count a gap", () => {
    const points: Points = [
      [1, 2],
      [2, 9],
      [3, null],
      [4, 5],
    ];
    expect(say(curve(points, [{ x: 5, cause: "NaN" }]))).toBe(
      "GRPO: from 2 at iteration 1 to 5 at iteration 4, highest 9 at 2. A run crashed at iteration 5.",
    );
    expect(say(curve([]))).toBe("GRPO: no numbers yet.");
    expect(say(curve([[1, null]]))).toBe("GRPO: no numbers yet.");
    expect(say(curve([[1, 3]]))).toBe("GRPO: 3 at iteration 1.");
  });

  it("say the last interval, and of how many runs it is", () => {
    const band = [
      { x: 1, low: 1, high: 3 },
      { x: 2, low: 4, high: 6 },
      { x: 3, low: NaN, high: NaN },
    ];
    const x = [1, 2, 3];
    const seeds = curveFrom({ ...curve([]), x, y: [2, 5, 5], n: [5, 4, 1], band });
    expect(say(seeds)).toContain("Interval at its end: 4 to 6 (n = 4).");
  });

  it("put series with different x into one table", () => {
    const curves = [
      curve([[1, 2]]),
      curve([
        [0, 5],
        [1, null],
      ]),
    ];
    const { rows } = drawnTable({ curves, format: String, formatX: String, byIteration: true });
    expect(rows).toEqual([
      ["0", "", "5"],
      ["1", "2", "not a number"],
    ]);
  });

  it("draw a crash at the last finite height", () => {
    const points: Points = [
      [1, 4],
      [2, null],
    ];
    expect(crashHeightOf(curve(points), 3)).toBe(4);
    expect(crashHeightOf(curve([]), 3)).toBe(0);
  });
});

describe("palette", () => {
  const css = readFileSync(new URL("../../src/app/styles/theme.css", import.meta.url), "utf8");
  const [light, dark] = css.split(':root[data-theme="dark"]').map((theme) => {
    const tokens = theme.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g);
    return new Map([...tokens].map(([, name, hex]) => [`var(--${name!})`, hex!]));
  }) as [Map<string, string>, Map<string, string>];

  const luminance = (hex: string) => {
    const channel = (at: number) => {
      const c = parseInt(hex.slice(at, at + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  };
  const contrast = (a: string, b: string) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
    return (high + 0.05) / (low + 0.05);
  };

  const SIX = ["turn-ppo", "grpo", "token-ppo", ..."abcdef"];

  it.each([
    ["light", light],
    ["dark", dark],
  ])("is text on its %s page: 4.5:1", (_theme, tokens) => {
    const inks = ["--ink", "--ink-2", "--ink-3", "--plus", "--minus", "--ok", "--warn", "--bad"];
    const colours = [...lineStyles(SIX).values()].map(({ colour }) => colour);
    for (const ink of [...inks.map((name) => `var(${name})`), ...colours])
      for (const ground of ["--page", "--ground", "--raised"])
        expect(
          contrast(tokens.get(ink)!, tokens.get(`var(${ground})`)!),
          `${ink} on ${ground}`,
        ).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ["light", light],
    ["dark", dark],
  ])("tints text on its %s page by half at most, and keeps it at 5:1", (_theme, tokens) => {
    for (const sign of ["positive", "negative"] as const)
      for (let strength = 0; strength <= 1; strength += 1 / 16) {
        const said = toneBackground({ sign, strength });
        const [, tint, share, page] = /(var\(--\w+\)) (\d+)%, (var\(--\w+\))/.exec(said)!;
        expect(Number(share), said).toBeLessThanOrEqual(50);
        const mixed = [1, 3, 5].map((at) => {
          const [a, b] = [tint!, page!].map((one) =>
            parseInt(tokens.get(one)!.slice(at, at + 2), 16),
          );
          const part = Math.round(b! + ((a! - b!) * Number(share)) / 100);
          return part.toString(16).padStart(2, "0");
        });
        const ground = `#${mixed.join("")}`;
        expect(contrast(tokens.get("var(--ink)")!, ground), said).toBeGreaterThanOrEqual(5);
      }
  });

  it("gives each of six other methods a colour and a marker of its own", () => {
    const styles = [...lineStyles(SIX).values()];
    expect(new Set(styles.map(({ colour }) => colour)).size).toBe(9);
    expect(new Set(styles.map(({ marker }) => marker)).size).toBe(9);
  });

  it("never tells two methods apart by colour alone", () => {
    const others = Array.from({ length: 25 }, (_, i) => `other ${i}`);
    const styles = [...lineStyles(["turn-ppo", "grpo", "token-ppo", ...others]).values()];
    expect(new Set(styles.map(({ dash }) => dash)).size).toBe(28);
  });
});

describe("dashes of other methods", () => {
  const dashes = Array.from({ length: 30 }, (_, place) => lineStyle("other", place).dash);

  it("are no repetition or shift of each other, which would look the same", () => {
    const shifts = dashes.map((dash) => {
      const parts = dash.split(" 3").join("").trim().split(" ");
      const turned = parts.map((_, i) => [...parts.slice(i), ...parts.slice(0, i)].join());
      expect(new Set(turned).size, dash).toBe(parts.length);
      return turned.sort()[0];
    });
    expect(new Set(shifts).size).toBe(30);
  });
});

describe("the y axis", () => {
  it.each([
    [0, 1, [0, 0.25, 0.5, 0.75, 1]],
    [-0.95, 2.85, [-1, 0, 1, 2, 3]],
    [0.1, 0.3, [0.1, 0.15, 0.2, 0.25, 0.3]],
    [5, 5, [4, 6]],
    [0, 0, [0, 0.25]],
  ])("from %s to %s has round ticks", (low, high, ticks) =>
    expect(niceTicks(low, high)).toEqual(ticks),
  );

  it("always spans the data with few ticks", () => {
    const finite = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const ticks = niceTicks(low, high);
        const slack = Math.max(Math.abs(low), Math.abs(high)) * 1e-8 + 1e-9;
        expect(ticks[0]!).toBeLessThanOrEqual(low + slack);
        expect(ticks.at(-1)!).toBeGreaterThanOrEqual(high - slack);
        expect(ticks.length).toBeLessThanOrEqual(7);
      }),
    );
  });

  it("has nothing to say of no numbers", () => {
    expect(fitAxis([], false).domain).toEqual([0, 1]);
    expect(fitAxis([], false, [0, 2]).ticks).toEqual([0, 0.5, 1, 1.5, 2]);
  });
});

describe("numbers that are nearly all 0", () => {
  it("are written without a minus, with any unit", () => {
    expect([formatPercent(-0.0003), formatPercent(-0.05)]).toEqual(["0.0\u00a0%", "−5.0\u00a0%"]);
    expect([formatFixed(-0.001, 2), formatFixed(-0.05, 2)]).toEqual(["0.00", "−0.05"]);
  });

  it("are coloured by the largest", () => {
    const values = [...Array<number>(100).fill(0), -3];
    expect(signedLimit(values)).toBe(3);
    expect(signedScale(values)(-3)).toEqual({ sign: "negative", strength: 1 });
    expect(signedLimit([0, 0])).toBe(0);
  });
});
