/** The command palette: everything one can go to or do, found by typing. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Command } from "cmdk";
import { Dialog } from "radix-ui";
import { Icon } from "../../ui/Icon.tsx";
import type { PanelKey } from "../../figures/manifest.ts";
import { actorOf, isPageAction } from "../useKeyboard.ts";
import { entriesOf, type Entry, type Leads } from "./entries.ts";
import { MOST_RESULTS, search } from "./search.ts";
import type { TypedAhead } from "./useTypedAhead.ts";
import { words } from "./words.ts";
import "./palette.css";

interface CommandPaletteProps extends TypedAhead {
  onClose: () => void;
  /** The previously focused element, which actions apply to. */
  before: HTMLElement;
  onChoose: (leads: Leads, before: HTMLElement) => void;
}

const GROUPS = Object.entries(words.groups) as [Entry["group"], string][];

/** Loaded when first requested, and open as long as it is mounted. */
export function CommandPalette({
  query,
  onQuery,
  entered,
  onClose,
  before,
  onChoose,
}: CommandPaletteProps) {
  const [entries] = useState(() => entriesOf(doableOn(before), ownButtons()));
  const chosen = useRef<Leads | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const found = search(entries, query, query.trim() === "" ? entries.length : MOST_RESULTS);
  const shown = query.trim() === "" ? found.filter(({ group }) => isShort(group)) : found;
  useEffect(() => {
    list.current?.scrollTo({ top: 0 });
  }, [query]);
  const choose = (leads: Leads) => {
    chosen.current = leads;
    onClose();
  };
  const chooseFirst = useEffectEvent(() => shown[0] && choose(shown[0].leads));
  useEffect(() => {
    if (entered) chooseFirst();
  }, [entered]);
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <div className="overlay" />
        <Dialog.Content
          className="palette"
          aria-describedby={undefined}
          data-testid="palette"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            before.focus();
            // Only now the focus is back where the action expects it.
            if (chosen.current) onChoose(chosen.current, before);
          }}
          onKeyDown={(event) => {
            if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            onClose();
          }}
        >
          <Dialog.Title className="visually-hidden">{words.title}</Dialog.Title>
          <Command shouldFilter={false} label={words.title} loop>
            <QueryField query={query} onQuery={onQuery} />
            <Command.List ref={list} label={words.list} className="palette-list">
              <Groups entries={shown} onChoose={choose} />
            </Command.List>
          </Command>
          <p role="status" className={shown.length > 0 ? "visually-hidden" : "palette-none"}>
            {shown.length > 0 ? words.found(shown.length) : words.none(query)}
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The page's own actions, those of the cursor if there is one, and those of reachable panels. */
function doableOn(focused: HTMLElement): (action: PanelKey) => boolean {
  return (action) => {
    if (action.id === "palette") return false;
    if (!isPageAction(action.id)) return actorOf(focused, action) !== null;
    return action.scope === "page" || document.querySelector("[data-scope=turns]") !== null;
  };
}

/** Buttons that the page currently offers as commands. */
function ownButtons(): HTMLButtonElement[] {
  return [...document.querySelectorAll<HTMLButtonElement>("button[data-command]:enabled")];
}

function QueryField({ query, onQuery }: Pick<TypedAhead, "query" | "onQuery">) {
  return (
    <div className="palette-field">
      <Icon name="search" />
      <Command.Input
        value={query}
        onValueChange={onQuery}
        placeholder={words.placeholder}
        data-testid="palette-query"
      />
    </div>
  );
}

/** Before anything is typed the long lists are hidden. */
function isShort(group: Entry["group"]): boolean {
  return group === "actions" || group === "views" || group === "panels";
}

interface GroupsProps {
  entries: readonly Entry[];
  onChoose: (leads: Leads) => void;
}

/** The group with the best match comes first. */
function Groups({ entries, onChoose }: GroupsProps) {
  const order = [...new Set(entries.map(({ group }) => group))];
  return order.map((group) => (
    <Command.Group key={group} heading={GROUPS.find(([id]) => id === group)![1]}>
      {entries
        .filter((one) => one.group === group)
        .map(({ id, title, detail, keys, leads }) => (
          <Command.Item key={id} value={id} onSelect={() => onChoose(leads)} data-entry={id}>
            <span className="palette-title">{title}</span>
            <span className="palette-detail">{detail}</span>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </Command.Item>
        ))}
    </Command.Group>
  ));
}
