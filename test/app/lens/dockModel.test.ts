/** The dock as the workspace's library has it. */
import { describe, expect, it } from "vitest";
import { normalizeWorkspaceModel, type WorkspaceModel } from "react-resizable-panels";
import { fromModel, toModel } from "../../../src/app/lens/Workspace.tsx";
import { panes } from "../../../src/panels/panes.ts";
import { readDock, writeDock } from "../../../src/store/dock.ts";
import { layoutNames, namedLayout } from "../../../src/store/layouts.ts";

const known = panes.map(({ id }) => id);

/** As the library takes it in. */
function taken(text: string, alone: string | null = null): WorkspaceModel<null> {
  const model = normalizeWorkspaceModel<null>(toModel(readDock(text, known), alone));
  expect(model).not.toBeNull();
  return model!;
}

describe("a dock in the library", () => {
  it("comes back as it was", () => {
    for (const name of layoutNames) {
      const dock = namedLayout(name, known);
      expect(fromModel(taken(writeDock(dock)))).toEqual(dock);
    }
    const tabs = "r(30-episodes.*group~70-ribbon)".replace(".*group", ".*critic");
    expect(writeDock(fromModel(taken(tabs))!)).toBe(tabs);
  });

  it("has the group of a pane that is shown alone over all others", () => {
    const model = taken("c(60-ribbon.critic~40-curves)", "critic");
    expect(model.maximizedTabsetId).toBe("group-0");
    expect(taken("c(60-ribbon~40-curves)", "critic").maximizedTabsetId).toBeUndefined();
  });

  it("has as many levels of splits as it is asked for, with the sizes of all", () => {
    const dock = readDock("r(24-story~76-c(29-r(36-curves~64-critic)~71-ribbon))", known);
    const at = (levels: number) => normalizeWorkspaceModel<null>(toModel(dock, null, levels))!;
    const ids = ({ root }: WorkspaceModel<null>) =>
      [...JSON.stringify(root).matchAll(/"id":"(\w+-[^"]*)"/g)].map(([, id]) => id);
    expect(ids(at(1))).toEqual(["group-0", "empty-1"]);
    expect(ids(at(2))).toEqual(["group-0", "split-1", "empty-1-0", "group-1-1"]);
    const sizes = (model: WorkspaceModel<null>) =>
      model.root.type === "split" && model.root.children.map(({ size }) => size);
    expect(sizes(at(1))).toEqual(sizes(at(3)));
    expect(at(3)).toEqual(at(Infinity));
    expect(writeDock(fromModel(at(Infinity))!)).toBe(writeDock(dock));
  });

  it("is null without a pane, and shares what has no size evenly", () => {
    const { root } = taken("r(50-ribbon~50-curves)");
    if (root.type !== "split") throw new Error("a split");
    const [first, second] = root.children;
    const unsized = { ...first!, size: undefined };
    const sized = { ...second!, size: 30 };
    const model: WorkspaceModel<null> = {
      version: 1,
      root: { ...root, children: [unsized, sized] },
    };
    expect(writeDock(fromModel(model)!)).toBe("r(70-ribbon~30-curves)");
    expect(fromModel({ version: 1, root: { type: "tabset", id: "a", tabs: [] } })).toBeNull();
  });
});
