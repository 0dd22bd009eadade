/** The lens's layouts, those of the reader's own, runs to open, and panels to go to. */
import { useState, type FormEvent } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import { panes } from "../../panels/panes.ts";
import { lensPanels } from "../../panels/panelTable.ts";
import { panesOf, readDock, writeDock } from "../../store/dock.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment } from "../../store/hooks.ts";
import { layoutNow, paneNames, setLens, withDock, withLayout } from "../../store/lens.ts";
import { layoutNames } from "../../store/layouts.ts";
import { preferences, setPreferences } from "../../store/preferences.ts";
import { Icon } from "../../ui/Icon.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuGroup, MenuItem } from "../../ui/Menu.tsx";
import { chooseFiles, chooseFolder } from "../ImportDrop.tsx";
import { goToPanel } from "./goToPanel.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

export function LayoutBar() {
  return (
    <div className="layout-bar">
      <div className="layouts" role="group" aria-label={words.layouts}>
        <NamedLayouts />
        <OwnLayouts />
        <SaveLayout />
      </div>
      <OpenRun />
      <PanelsMenu />
    </div>
  );
}

const selectLayout = ({ lens }: ExperimentState) => ({
  now: layoutNow(lens),
  text: writeDock(lens.dock),
});

function NamedLayouts() {
  const { store } = useExperiment();
  const { now } = useStore(store, useShallow(selectLayout));
  return layoutNames.map((name) => (
    <Button
      key={name}
      className="layout"
      aria-pressed={name === now}
      data-testid={`layout-${name}`}
      onClick={() => setLens(store, (lens) => withLayout(lens, name))}
    >
      {words.layout[name]}
    </Button>
  ));
}

/** Kept in the browser; panes that there are no more are left out. */
function OwnLayouts() {
  const { store } = useExperiment();
  const { text } = useStore(store, useShallow(selectLayout));
  const own = useStore(preferences, ({ layouts }) => layouts);
  const open = (dock: string) =>
    setLens(store, (lens) => withDock(lens, readDock(dock, paneNames(lens.table))));
  const forget = (name: string) =>
    setPreferences({ layouts: own.filter((one) => one.name !== name) });
  return own.map(({ name, dock }) => (
    <span key={name} className="own-layout">
      <Button
        className="layout"
        aria-pressed={dock === text}
        data-testid="own-layout"
        onClick={() => open(dock)}
      >
        {name}
      </Button>
      <IconButton icon="close" size={14} name={words.forget(name)} onClick={() => forget(name)} />
    </span>
  ));
}

/** Who pressed the button wants to write. */
const focusNow = (input: HTMLInputElement | null) => input?.focus();

/** Longer names would push the others out of sight. */
const LONGEST_NAME = 30;

function SaveLayout() {
  const { store } = useExperiment();
  const [naming, setNaming] = useState(false);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    if (name === "") return;
    const dock = writeDock(store.getState().lens.dock);
    const others = preferences.getState().layouts.filter((one) => one.name !== name);
    setPreferences({ layouts: [...others, { name, dock }] });
    setNaming(false);
  };
  if (!naming)
    return (
      <IconButton
        icon="plus"
        name={words.save}
        data-testid="save-layout"
        onClick={() => setNaming(true)}
      />
    );
  return (
    <form
      className="save-layout"
      onSubmit={save}
      onKeyDown={({ key }) => key === "Escape" && setNaming(false)}
    >
      <label>
        <span className="visually-hidden">{words.saveName}</span>
        <input ref={focusNow} name="name" maxLength={LONGEST_NAME} placeholder={words.saveName} />
      </label>
      <button type="submit">{words.saveNow}</button>
    </form>
  );
}

function OpenRun() {
  return (
    <Menu
      align="end"
      trigger={
        <Button look="quiet" data-testid="open-run">
          <Icon name="file" /> {words.openRun}
        </Button>
      }
    >
      <MenuItem data-testid="open-run-file" onSelect={chooseFiles}>
        {words.openFile}
      </MenuItem>
      <MenuItem onSelect={chooseFolder}>{words.openFolder}</MenuItem>
    </Menu>
  );
}

const selectOpen = ({ lens }: ExperimentState) => panesOf(lens.dock);

/** Every panel under its pane; with the keyboard one types its first letters. */
function PanelsMenu() {
  const { store } = useExperiment();
  const open = useStore(store, useShallow(selectOpen));
  return (
    <Menu
      align="end"
      leadsAway
      trigger={
        <Button look="quiet" data-testid="go-panel">
          <Icon name="panels" /> {words.panels}
        </Button>
      }
    >
      {panes.map((pane) => (
        <MenuGroup key={pane.id} name={pane.title}>
          {pane.panels.map((id, i) => (
            <MenuItem
              key={id}
              className={i > 0 ? "menu-within" : undefined}
              data-go={id}
              onSelect={() => goToPanel(store, id)}
            >
              {lensPanels.find((panel) => panel.id === id)!.title}
              {i === 0 && open.includes(pane.id) && <Icon name="check" />}
            </MenuItem>
          ))}
        </MenuGroup>
      ))}
    </Menu>
  );
}
