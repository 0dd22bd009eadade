/** A panel is a folder with a manifest; table, layout, help, titles and styles come from it. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { actions, scopes } from "../../src/app/actions.ts";
import { manifests } from "../../src/panels/manifests.ts";
import { lensPanels } from "../../src/panels/panelTable.ts";
import { definePanel } from "../../src/figures/manifest.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { isOpen, setLens, withPanel } from "../../src/store/lens.ts";
import { numberFrom } from "../../src/store/lensCodecs.ts";
import { settingIn, withSetting } from "../../src/store/lensSettings.ts";
import { openLinkOf, receiveLink } from "../../src/store/links.ts";

const src = new URL("../../src/", import.meta.url);
const files = (folder: string) => readdirSync(new URL(folder, src));
const read = (path: string) => readFileSync(new URL(path, src), "utf8");

/** Folders with a manifest, by panel: of figures, and of what no figure can say. */
const folders = new Map(
  ["figures", "panels"].flatMap((room) =>
    readdirSync(new URL(`${room}/`, src), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "shared")
      .map(({ name }) => [name, `${room}/${name}/`] as const)
      .filter(([, folder]) => files(folder).includes("manifest.ts")),
  ),
);

describe("the panels of the lens", () => {
  it("are the folders that have a manifest, each under its own id", () => {
    expect(manifests.map(({ id }) => id).toSorted()).toEqual([...folders.keys()].toSorted());
  });

  it("are in the table as their manifests say, each with its component", () => {
    for (const [i, manifest] of manifests.entries()) {
      expect(lensPanels[i]).toMatchObject(manifest);
      expect(lensPanels[i]!.Panel).toBeDefined();
    }
  });

  it("have their styles in their folder, which the manifest brings along", () => {
    for (const { id } of manifests) {
      const folder = folders.get(id)!;
      const styles = files(folder).filter((name) => name.endsWith(".css"));
      const imported = [...read(`${folder}manifest.ts`).matchAll(/^import "\.\/(.+\.css)"/gm)];
      expect(imported.map(([, name]) => name).toSorted()).toEqual(styles.toSorted());
      expect(files("app/styles/")).not.toContain(`${id}.css`);
    }
  });

  it("have all their keys in the table of actions, in a scope that the help names", () => {
    for (const key of manifests.flatMap(({ keys }) => [...keys])) {
      expect(actions).toContain(key);
      expect(scopes[key.scope]).toMatch(/\w/);
    }
  });

  it("say their titles nowhere else", () => {
    for (const { id, title } of manifests) {
      const folder = folders.get(id)!;
      const texts = files(folder).filter((name) => /\.tsx?$/.test(name) && name !== "manifest.ts");
      for (const name of texts) expect(read(`${folder}${name}`)).not.toContain(`title: "${title}"`);
    }
  });
});

describe("a panel that is added", () => {
  const loom = definePanel({
    id: "loom",
    title: "Loom",
    about: "How warp and weft go together.",
    settings: { weft: numberFrom(1, 9, 2) },
  });
  const table = [...manifests, loom];
  const newStore = () => createExperimentStore(presetSpec("nano"), [], table);

  it("is laid out, set and linked to by its manifest alone", () => {
    const store = newStore();
    store.setState({ screen: "lens" });
    expect(isOpen(store.getState().lens, "loom")).toBe(false);
    setLens(store, (lens) => ({
      ...withPanel(lens, "loom", true),
      settings: withSetting(lens.settings, "loom:weft", loom.settings.weft, 7),
    }));
    const link = openLinkOf(store.getState());
    const other = newStore();
    receiveLink(other, link);
    const { lens, warnings } = other.getState();
    expect(warnings).toEqual([]);
    expect(isOpen(lens, "loom")).toBe(true);
    expect(settingIn(lens.settings, "loom:weft", loom.settings.weft)).toBe(7);
  });

  it("is named in four places: its folder, the list, the components, the rooms' page", () => {
    const places = (name: string) => read(name).match(/\bclip\b/g) !== null;
    const around = ["panels/manifests.ts", "panels/panelTable.ts", "figures/README.md"];
    expect(around.filter(places)).toEqual(around);
    const elsewhere = /figures\/clip\/|"clip"/;
    for (const room of ["app", "store", "charts", "draw", "ui", "panels/lens"])
      for (const name of files(`${room}/`))
        if (/\.tsx?$/.test(name)) expect(read(`${room}/${name}`), name).not.toMatch(elsewhere);
  });
});
