/** What a panel of the lens says of itself: the rest of the page is made from it. */
import type { PanelFacts } from "../store/lens.ts";
import type { SettingTable } from "../store/lensCodecs.ts";

/** A key that does something in a panel. */
export interface PanelKey {
  /** Of the action; a button that does it has it as `data-action`. */
  id: string;
  name: string;
  /** Values of KeyboardEvent.key. */
  keys: readonly string[];
  /** Where it works: `turns` is anywhere in the lens, else in the element of the panel with that `data-scope`. */
  scope: string;
  /** Presses its button, or is sent to the element of the scope, where the panel hears it (`useActions`). */
  does: "press" | "send";
}

interface MissingEpisodes {
  /** While there is no run. */
  empty: string;
  /** Of a run that recorded none. */
  none: string;
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
  /** Whether it shows numbers that its frame offers to save: charts offer their own. */
  hasNumbers: boolean;
  /** Ids in the glossary of what it shows. */
  terms: readonly string[];
  /** What it says where the log has no episodes of the method; null where it needs none. */
  needsEpisodes: MissingEpisodes | null;
  /** Scopes of its keys besides `turns`, as the help calls them. */
  scopes: Readonly<Record<string, string>>;
}

type Given<Id extends string, S extends SettingTable> = Pick<Manifest, "title" | "about"> &
  Partial<Omit<Manifest<Id, S>, "id" | "needsEpisodes">> & {
    id: Id;
    needsEpisodes?: Pick<MissingEpisodes, "empty"> & Partial<MissingEpisodes>;
  };

const NONE_RECORDED =
  "This run recorded no episodes for this method. Set “episodes recorded” above 0.";

const NO_SETTINGS = {};

/** What is not given: unfolded in a pane of its own, without settings or keys, nothing needed of a log, its numbers to be saved. */
export function definePanel<const Id extends string, S extends SettingTable = typeof NO_SETTINGS>(
  given: Given<Id, S>,
): Manifest<Id, S> {
  const place = { pane: given.id, openAtFirst: true };
  const start = {
    ...place,
    settings: NO_SETTINGS as S,
    keys: [],
    terms: [],
    scopes: {},
    hasNumbers: true,
  };
  const needed = given.needsEpisodes;
  const needsEpisodes = needed ? { none: NONE_RECORDED, ...needed } : null;
  return { ...start, ...given, needsEpisodes };
}
