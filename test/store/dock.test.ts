/** The layout of panes: its text, and how opening and closing change it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manifests } from "../../src/panels/manifests.ts";
import { panes } from "../../src/panels/panes.ts";
import {
  DockError,
  tabGroup,
  isInFront,
  panesOf,
  readDock,
  splitOf,
  withoutPane,
  withPane,
  writeDock,
  type Dock,
} from "../../src/store/dock.ts";
import { layoutNames, namedLayout, layouts } from "../../src/store/layouts.ts";
import { paneNames } from "../../src/store/lens.ts";

const known = panes.map(({ id }) => id);

/** Some of the panes in any order, cut into groups and splits of any depth that is read. */
const docks: fc.Arbitrary<Dock> = fc
  .tuple(
    fc.shuffledSubarray(known, { minLength: 1 }),
    fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  )
  .map(([names, choices]) => {
    let next = 0;
    const choose = (below: number) => choices[next++ % choices.length]! % below;
    const cut = (some: readonly string[], depth: number): Dock => {
      if (some.length === 1 || depth === 0 || choose(3) === 0)
        return tabGroup(some, choose(some.length));
      const at = 1 + choose(some.length - 1);
      const parts = [some.slice(0, at), some.slice(at)].map((each) => ({
        share: 1 + choose(99),
        dock: cut(each, depth - 1),
      }));
      return splitOf(choose(2) === 0 ? "row" : "column", parts)!;
    };
    return cut(names, 5);
  });

describe("a dock's text", () => {
  it("is read again as the same dock", () => {
    fc.assert(
      fc.property(docks, (dock) => {
        const text = writeDock(dock);
        expect(readDock(text, known)).toEqual(dock);
        expect(text).toMatch(/^[\w.*~()-]{1,400}$/);
      }),
    );
  });

  it("has shares that sum to 100, whatever it was given", () => {
    const dock = readDock("r(99-curves~99-ribbon~1-critic)", known);
    expect(writeDock(dock)).toBe("r(49-curves~50-ribbon~1-critic)");
    // Written once, it stays.
    expect(writeDock(readDock(writeDock(dock), known))).toBe(writeDock(dock));
  });

  it.each([
    ["", /character 1 of "" there must be the name of a pane/],
    ["r(40-curves)", /a second part before/],
    ["r(0-curves~100-ribbon)", /a share from 1 to 99/],
    ["r(40-curves~60-ribbon", /character 22 .* “~” or “\)”/],
    ["curves,ribbon", /character 7 .* nothing more/],
    ["curves.loom", /"loom" is not a pane of the lens; there are curves, /],
    ["curves.curves", /"curves" is in it twice/],
    ["r(50-".repeat(7) + "curves", /at most 6 rows and columns/],
  ])("%s is refused in a sentence", (text, sentence) => {
    const read = () => readDock(text, known);
    expect(read).toThrow(DockError);
    expect(read).toThrow(sentence);
  });
});

describe("a pane", () => {
  it("that is opened is in front, and all others are still there", () => {
    fc.assert(
      fc.property(docks, fc.constantFrom(...known), (dock, pane) => {
        const opened = withPane(dock, pane);
        expect(isInFront(opened, pane)).toBe(true);
        expect(new Set(panesOf(opened))).toEqual(new Set([...panesOf(dock), pane]));
        expect(panesOf(opened)).toHaveLength(new Set(panesOf(opened)).size);
      }),
    );
  });

  it("that is closed is gone alone; the last one stays", () => {
    fc.assert(
      fc.property(docks, fc.constantFrom(...known), (dock, pane) => {
        const left = panesOf(dock).filter((one) => one !== pane);
        const closed = withoutPane(dock, pane);
        expect(panesOf(closed)).toEqual(left.length === 0 ? [pane] : left);
        // What is left can be written and read: shares are whole, no part is alone in a split.
        expect(readDock(writeDock(closed), known)).toEqual(closed);
      }),
    );
  });

  it("opens where there is the most room, and leaves what was in front of others", () => {
    const dock = readDock("c(70-r(60-ribbon~40-credits)~30-curves)", known);
    expect(writeDock(withPane(dock, "critic"))).toBe(
      "c(70-r(60-ribbon.*critic~40-credits)~30-curves)",
    );
    const tabs = tabGroup(["ribbon", "credits", "curves"], 2);
    expect(writeDock(withoutPane(tabs, "ribbon"))).toBe("credits.*curves");
  });
});

describe("the layouts", () => {
  it("name panes that there are, each with its title and panels", () => {
    for (const name of layoutNames)
      expect(writeDock(readDock(layouts[name], known))).toBe(layouts[name]);
    for (const { id, title, panels } of panes) {
      expect(title, id).toMatch(/^[A-Z]/);
      expect(panels.length, id).toBeGreaterThan(0);
    }
  });

  it("show every pane but those to try and to set somewhere", () => {
    const shown = new Set(layoutNames.flatMap((name) => panesOf(namedLayout(name, known))));
    expect(known.filter((pane) => !shown.has(pane))).toEqual(["try"]);
    expect(paneNames(manifests).length).toBeLessThanOrEqual(14);
  });

  it("leave out a pane that is not there, and mean all where none is", () => {
    expect(panesOf(namedLayout("health", ["health", "loom"]))).toEqual(["health"]);
    expect(namedLayout("critic", ["loom", "warp"])).toEqual(tabGroup(["loom", "warp"]));
  });
});
