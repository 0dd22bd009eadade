/** Code cells: what they name, what they show, and how they fail. */
import { describe, expect, test } from "vitest";
import { runCell, type CellOutput } from "../../../src/runtime/sandbox/cells.ts";
import { freeNames } from "../../../src/runtime/sandbox/freeNames.ts";
import { CELL_LIMITS } from "../../../src/runtime/sandbox/limits.ts";
import { nodeQuickJs } from "../../../src/runtime/sandbox/node.ts";
import { SandboxClient, type SandboxPort } from "../../../src/runtime/sandbox/sandboxClient.ts";
import type { FromSandbox, ToSandbox } from "../../../src/runtime/sandbox/sandboxProtocol.ts";

const LIMITS = { ...CELL_LIMITS, steps: 300 };

const run = async (source: string, inputs: Record<string, unknown> = {}): Promise<CellOutput> =>
  runCell(await nodeQuickJs(), { name: "mine", source }, inputs, LIMITS);

const valueOf = (output: CellOutput) => (output.ok ? output.value : output.problem);
const problemOf = (output: CellOutput) => (output.ok ? null : output.problem);

describe("names", () => {
  test.each([
    ["a + b.c + d[e]", "a b d e"],
    ["const a = 1; let { b, c: d, ...f } = g; a + b + d + f", "g"],
    ["function f(x, y = z) { return x + y + w; } f(1)", "w z"],
    ["(x) => x + y", "y"],
    ["if (p) { var q = 1; } q", "p"],
    ["if (p) { let q = 1; } q", "p q"],
    ["for (const r of rows) sum(r.x); r", "r rows sum"],
    ["try { a() } catch (e) { e }", "a"],
    ["class A extends B { c = d; e() { return super.f; } } new A()", "B d"],
    ["const o = { a, b: c, [d]: 1, e() { return f; } }", "a c d f"],
    ["outer: for (;;) { break outer; }", ""],
    ["'a b' + `c ${d}` // e", "d"],
    ["const x: Row = rows as Row[]; x!", "rows"],
    ["Math.max(1) + JSON.stringify(Plot.dot([])) + undefined", ""],
    ["switch (a) { case b: { let c = 1; } default: d; }", "a b d"],
    ["typeof missing", "missing"],
  ])("%s reads %s", async (source, names) => {
    expect((await freeNames(source)).join(" ")).toBe(names);
  });

  // Each level of these doubles what a parser of types reads; forty levels of them would take years.
  test.each(["<a>(", "a<b>(", "a<b>`${", "a?(x):y=>(", "[<a>", "a?<a>", "<a>{b:y=>"])(
    "types that are nested in types, as in %s, are refused at once",
    async (piece) => {
      const problem = (await freeNames(piece.repeat(40)).catch((error: unknown) => error)) as Error;
      expect(problem.message).toBe("cell: types are nested too deeply to be read");
    },
  );

  test("ordinary types may be nested, and a text may be long but not endless", async () => {
    const nested =
      "const f = (x: A<B<C<D>>>): x is E<F> => ((y: G<H>) => y as I<J<K>>)(<L<M>>x);\n";
    expect(await freeNames(nested + "f(rows);\n".repeat(9000))).toEqual(["rows"]);
    await expect(freeNames("a;".repeat(60_000))).rejects.toThrow(
      "120000 characters; at most 100000 are read",
    );
  });

  test("text that cannot be read is refused with its line", async () => {
    await expect(freeNames("1;\n let = =", "mine")).rejects.toThrow(/^mine, line 2: /);
    expect(problemOf(await run("1;\nimport x from 'y'"))!.message).toMatch(
      /import and export are not available/,
    );
  });
});

describe("values", () => {
  test("the last expression, or a return, is the value", async () => {
    expect(valueOf(await run("const x = 2;\nx * 3"))).toBe(6);
    expect(valueOf(await run("if (true) return 4;"))).toBe(4);
    expect(await run("const x = 1;")).toMatchObject({ ok: true, shown: { kind: "nothing" } });
  });

  test("inputs are data, and changing them changes nothing outside", async () => {
    const rewards = Float64Array.of(1, 2, 3);
    const source = "rewards[0] = 9; rewards.reduce((a, b) => a + b) + run.seed";
    expect(valueOf(await run(source, { rewards, run: { seed: 5 }, unused: () => 1 }))).toBe(19);
    expect(rewards[0]).toBe(1);
  });

  test("rows and columns are tables", async () => {
    expect(await run("[{ a: 1, b: 'x' }, { a: 2 }]")).toMatchObject({
      shown: {
        kind: "table",
        rows: 2,
        columns: [
          { name: "a", values: [1, 2] },
          { name: "b", values: ["x", null] },
        ],
      },
    });
    expect(await run("table({ a: [1, 2], b: ['x', 'y'] })")).toMatchObject({
      shown: { kind: "table", rows: 2 },
    });
    expect(problemOf(await run("table(3)"))!.what).toContain("table needs");
    expect(await run("({ a: [1, 2], b: 3 })")).toMatchObject({ shown: { kind: "value" } });
  });

  test("a plot is a description, its functions worked out", async () => {
    const source = `Plot.plot({ width: 300, y: { grid: true }, marks: [
      Plot.ruleY([0]),
      Plot.lineY([{ t: 1, v: 2 }, { t: 2, v: 5 }], { x: "t", y: (d) => d.v * 2 }),
      null,
    ] })`;
    expect(await run(source)).toMatchObject({
      shown: {
        kind: "plot",
        plot: {
          options: { width: 300, y: { grid: true } },
          marks: [
            { mark: "ruleY", data: Float64Array.of(0) },
            { mark: "lineY", options: { x: "t", y: Float64Array.of(4, 10) } },
          ],
        },
      },
    });
    expect(await run("Plot.dot([[1, 2]])")).toMatchObject({ shown: { kind: "plot" } });
  });

  test.each([
    ["({ $plot: { marks: [{ $mark: 'image', data: [] }] } })", 'the plot\'s mark is "image"'],
    [
      "Plot.dot([1], { href: 'https://example.org' }).plot ?? Plot.plot({ marks: [Plot.dot([1], { href: 'x' })] })",
      "the option href",
    ],
    ["Plot.plot({ style: 'position: fixed' })", "the option style"],
    ["Plot.plot({ x: { tickFormat: (d) => d } })", "is a function"],
  ])("%s is refused", async (source, words) => {
    expect(problemOf(await run(source))!.message).toContain(words);
  });
});

describe("failures", () => {
  test("the console before an error is kept, and the line is the cell's", async () => {
    const output = await run(
      "console.log('before');\nconst f = () => {\n  throw new Error('bad');\n};\nf();",
    );
    expect(output).toEqual({
      ok: false,
      lines: [{ level: "log", text: "before" }],
      problem: { message: "mine, line 3: Error: bad", line: 3, what: "Error: bad" },
    });
  });

  test.each([
    ["for (;;);", "too many steps"],
    ["fetch('x')", "fetch is not available here"],
    ["Plot.tree([1])", "Plot.tree is not available here; marks that are: Plot.dot, "],
    ["document.title", "document is not available here"],
    ["() => 1", "is a function"],
    ["missing + 1", "missing"],
    ["const a = []; for (;;) a.push(new Uint8Array(1_000_000));", "too much memory"],
    ["'x'.repeat(2 ** 28).split('')", "too much memory"],
    ["localStorage.setItem('a', 'b')", "localStorage is not available here"],
    ["indexedDB.open('a')", "indexedDB is not available here"],
    ["new XMLHttpRequest()", "XMLHttpRequest is not available here"],
    ["new WebSocket('wss://example.org')", "WebSocket is not available here"],
    ["window.parent.document", "window is not available here"],
    ["navigator.clipboard", "navigator is not available here"],
    ["postMessage('x')", "'postMessage' is not defined"],
    ["({}).constructor.constructor('return process')().exit(3)", "process is not available here"],
    ["const f = () => f() + 1; f()", "too deeply"],
  ])("%s: one sentence, and the next cell runs", async (source, words) => {
    const { message } = problemOf(await run(source))!;
    expect(message).toContain(words);
    expect(message.length).toBeLessThan(200);
    expect(message).not.toContain("\n");
    expect(valueOf(await run("6 * 7"))).toBe(42);
  });

  test.each([
    "Object.prototype.polluted = 1; 1",
    "({}).__proto__.polluted = 1; 1",
    "Object.defineProperty(Object.prototype, 'polluted', { get: () => 1 }); 1",
    "Array.prototype.push = null; JSON.stringify = () => 'x'; Array.isArray = () => true; 1",
    "Object.prototype.toJSON = () => 5; Function.prototype.call = null; 1",
    'JSON.parse(\'{"__proto__": {"polluted": 1}}\')',
    "({ ['__proto__']: { polluted: 1 }, constructor: { prototype: { polluted: 1 } } })",
    "new Proxy({}, { get: () => 1, ownKeys: () => ['polluted'] })",
  ])("%s reaches no other cell and nothing of the page", async (source) => {
    const { ok } = await run(source);
    expect(ok === true || ok === false).toBe(true);
    expect("polluted" in {}).toBe(false);
    expect(valueOf(await run("[({}).polluted === undefined, [1, 2].map((x) => x * 2)]"))).toEqual([
      true,
      Float64Array.of(2, 4),
    ]);
  });
});

/** A worker that answers what it can, and never comes back from "hang". */
function fakePort(opened: { count: number }): SandboxPort {
  opened.count += 1;
  let alive = true;
  const port: SandboxPort = {
    onmessage: null,
    onerror: null,
    terminate: () => void (alive = false),
    postMessage: (message: ToSandbox) => {
      if (message.type !== "cell" || message.cell.source === "hang") return;
      const output: CellOutput = {
        ok: true,
        lines: [],
        value: message.cell.source,
        shown: { kind: "nothing" },
      };
      const data: FromSandbox = { id: message.id, type: "cell", output };
      queueMicrotask(() => alive && port.onmessage?.({ data }));
    },
  };
  return port;
}

test("a stopped cell ends with its worker; what waited behind it runs in the next one", async () => {
  const opened = { count: 0 };
  const client = new SandboxClient(() => fakePort(opened));
  const stop = new AbortController();
  const hung = client.runCell({ name: "a", source: "hang" }, {}, stop.signal);
  const behind = client.runCell({ name: "b", source: "1" });
  stop.abort();
  expect(problemOf(await hung)!.message).toBe("a: the cell was stopped");
  expect(valueOf(await behind)).toBe("1");
  expect(opened.count).toBe(2);
  client.dispose();
});

test("a cell that never ends is ended", async () => {
  const client = new SandboxClient(() => fakePort({ count: 0 }), -4_990);
  const output = await client.runCell({ name: "a", source: "hang" });
  expect(problemOf(output)!.what).toContain("it took longer than");
  client.dispose();
});
