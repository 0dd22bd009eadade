/** What a panel of the lens says of itself: the rest of the page is made from it. */
import type { PanelFacts } from "../../store/lens.ts";
import type { SettingTable } from "../../store/lensCodecs.ts";

/** A key that does something in a panel. */
export interface PanelKey {
  /** Of the action; a button that does it has it as `data-action`. */
  id: string;
  name: string;
  /** Values of KeyboardEvent.key. */
  keys: readonly string[];
  /** Where it works: `turns` is anywhere in the lens, else in the element of the panel with that `data-scope`. */
  scope: string;
  /** Presses its button, tells the element of the scope (`useActions`), or changes the store as the panel says elsewhere. */
  does: "press" | "tell" | "change";
}

export interface Manifest<
  Id extends string = string,
  S extends SettingTable = SettingTable,
> extends PanelFacts {
  id: Id;
  title: string;
  /** One sentence: what question it answers. */
  about: string;
  settings: S;
  keys: readonly PanelKey[];
  /** Scopes of its keys besides `turns`, as the help calls them. */
  scopes: Readonly<Record<string, string>>;
}

type Given<Id extends string, S extends SettingTable> = Pick<Manifest<Id, S>, "id" | "title" | "about"> &
  Partial<Manifest<Id, S>>;

const NO_SETTINGS = {};

/** What is not given: closed at first, without settings or keys. */
export function definePanel<const Id extends string, S extends SettingTable = typeof NO_SETTINGS>(
  given: Given<Id, S>,
): Manifest<Id, S> {
  const none = { openAtFirst: false, settings: NO_SETTINGS as S, keys: [], scopes: {} };
  return { ...none, ...given };
}
