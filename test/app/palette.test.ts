import { describe, expect, it } from "vitest";
import { actions, actionFor, hasModifier, type Focus } from "../../src/app/actions.ts";
import { entriesOf, type Entry } from "../../src/app/palette/entries.ts";
import { MOST_RESULTS, search } from "../../src/app/palette/search.ts";
import { ROUTES } from "../../src/app/route.ts";
import { CAUSE_NAMES } from "../../src/reading/story/causeNames.ts";
import { metricTable } from "../../src/spec/metricTable.ts";
import { manifests } from "../../src/panels/manifests.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";
import { glossary } from "../../src/spec/glossary.ts";
import { listPresets } from "../../src/spec/presets.ts";

const listed = listPresets().map(({ name }) => name);

const all = entriesOf(() => true, []);
const ids = (group: Entry["group"]) =>
  all.filter((one) => one.group === group).map(({ id }) => id.slice(group.length + 1));
const first = (query: string) => search(all, query, 5)[0]?.id;

describe("the command palette", () => {
  it("has everything that the page's tables have, once", () => {
    expect(ids("panels")).toEqual(manifests.map(({ id }) => id));
    expect(ids("causes")).toEqual([...CAUSE_NAMES]);
    expect(ids("metrics")).toEqual(metricTable.map(({ name }) => name));
    expect(ids("algorithms")).toEqual(algorithmNames);
    expect(ids("presets")).toEqual(listed);
    expect(ids("views")).toEqual([...ROUTES]);
    expect(ids("terms")).toEqual(glossary.flatMap(({ terms }) => terms.map(({ id }) => id)));
    const reached = [...ids("actions"), ...ids("views")];
    for (const { id } of actions) expect(reached).toContain(id);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it("finds by words in any order, by names in the code and by verl's", () => {
    expect(first("turn-ppo")).toBe("algorithms/turn-ppo");
    expect(first("ppo turn")).toBe("algorithms/turn-ppo");
    expect(first("light")).toBe("actions/theme");
    expect(first("learning curves")).toBe("panels/curves");
    expect(first("silent groups")).toBe("terms/silent-group");
    const panels = search(all, "silent groups", 9).flatMap(({ id }) =>
      /^panels/.test(id) ? id : [],
    );
    expect(panels.toSorted()).toEqual(["panels/doctor", "panels/group", "panels/story"]);
    expect(first("doctor")).toBe("panels/doctor");
    expect(first("vf_explained_var")).toMatch(/^terms\//);
    const groups = (query: string) => search(all, query, 99).map(({ id }) => id);
    expect(groups("silent groups")).toContain("causes/silent-groups");
    expect(groups("entropy")).toEqual(
      expect.arrayContaining(["causes/entropy-crash", "metrics/actor/entropy"]),
    );
    expect(groups("frac_reward_zero_std")).toContain("causes/silent-groups");
    expect(first("two-armed")).toBe("presets/bandit");
    expect(search(all, "grpo xyzzy", 5)).toEqual([]);
  });

  it("finds every cause and metric by its title, and by each word of title and name", () => {
    const known = new Map<string, string[]>();
    const found = (query: string) => {
      const ids = known.get(query) ?? search(all, query, MOST_RESULTS).map((one) => one.id);
      known.set(query, ids);
      return ids;
    };
    for (const { id, title, group } of all) {
      if (group !== "causes" && group !== "metrics") continue;
      expect(found(title).slice(0, 5), title).toContain(id);
      const words = `${title} ${id.slice(group.length)}`.match(/[\p{L}\p{N}_]{3,}/gu)!;
      for (const word of words) expect(found(word), `${id} by ${word}`).toContain(id);
    }
  });

  it("offers what can be done where the focus is, and nothing else", () => {
    const none = entriesOf(() => false, []);
    expect(none.filter(({ group }) => group === "actions")).toEqual([]);
    const button = { dataset: { command: "Export batch: copy" } } as unknown as HTMLButtonElement;
    const [found] = search(
      entriesOf(() => false, [button]),
      "export batch",
      1,
    );
    expect(found).toMatchObject({ title: "Export batch: copy", leads: { button } });
  });
});

it("opens with a modifier, also while one types", () => {
  const focus: Focus = {
    tag: "input",
    inputType: "text",
    editable: false,
    scope: "page",
    inDialog: false,
  };
  const press = { key: "k", ctrlKey: true, metaKey: false, altKey: false };
  expect(actionFor(press, focus)?.id).toBe("palette");
  expect(actionFor({ ...press, ctrlKey: false, metaKey: true, key: "K" }, focus)?.id).toBe(
    "palette",
  );
  expect(actionFor({ ...press, ctrlKey: false }, focus)).toBeNull();
  const everywhere = actions.filter((action) => hasModifier(action) && action.scope === "page");
  expect(everywhere.map(({ id }) => id)).toEqual(["palette"]);
});
