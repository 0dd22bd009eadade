/** The lens's layouts, the reader's own layouts, runs to open, and panels to go to. */
import { useState, type FormEvent } from "react";
import { writeDock } from "../../store/dock.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { layoutNow, setLens, withLayout } from "../../store/lens.ts";
import { layoutNames } from "../../store/layouts.ts";
import { preferences, setPreferences } from "../../store/preferences.ts";
import { Icon } from "../../ui/Icon.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu } from "../../ui/Menu.tsx";
import { OpenItems, PanelsMenu } from "./LensMenus.tsx";
import { useOwnLayouts } from "./useOwnLayouts.ts";
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

const selectLayout = ({ lens }: ExperimentState) => layoutNow(lens);

function NamedLayouts() {
  const { store } = useExperiment();
  const now = useExperimentState(selectLayout);
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

function OwnLayouts() {
  const { own, open, forget, now } = useOwnLayouts();
  return own.map(({ name, dock }) => (
    <span key={name} className="own-layout">
      <Button
        className="layout"
        aria-pressed={dock === now}
        data-testid="own-layout"
        onClick={() => open(dock)}
      >
        {name}
      </Button>
      <IconButton icon="close" size={14} name={words.forget(name)} onClick={() => forget(name)} />
    </span>
  ));
}

/** After pressing the button, the reader wants to type. */
const focusNow = (input: HTMLInputElement | null) => input?.focus();

/** Longer names would push the others out of view. */
const LONGEST_NAME = 30;

function SaveLayout() {
  const [naming, setNaming] = useState(false);
  if (naming) return <LayoutForm onDone={() => setNaming(false)} />;
  return (
    <IconButton
      icon="plus"
      name={words.save}
      data-testid="save-layout"
      onClick={() => setNaming(true)}
    />
  );
}

/** Asks for a name for the current layout, and saves it. Escape cancels. */
export function LayoutForm({ onDone }: { onDone: () => void }) {
  const { store } = useExperiment();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    if (name === "") return;
    const dock = writeDock(store.getState().lens.dock);
    const others = preferences.getState().layouts.filter((one) => one.name !== name);
    setPreferences({ layouts: [...others, { name, dock }] });
    onDone();
  };
  return (
    <form
      className="save-layout"
      onSubmit={save}
      onKeyDown={({ key }) => key === "Escape" && onDone()}
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
      <OpenItems />
    </Menu>
  );
}
