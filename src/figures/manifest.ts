/** A panel's description of itself: the rest of the page is derived from it. */
import type { PanelFacts } from "../store/lens.ts";
import type { SettingTable } from "../store/lensCodecs.ts";

/** A key that does something in a panel. */
export interface PanelKey {
  /** Id of the action: it presses the button with this `data-action`; without one the panel handles it (`useActions`). */
  id: string;
  name: string;
  /** Values of KeyboardEvent.key. */
  keys: readonly string[];
  /** Where it works: `turns` is anywhere in the lens, else in the element of the panel with that `data-scope`. */
  scope: string;
}

interface MissingEpisodes {
  /** Shown while there is no run. */
  empty: string;
  /** Shown for a run that recorded none. */
  none: string;
}

export interface Manifest<
  Id extends string = string,
  S extends SettingTable = SettingTable,
> extends PanelFacts {
  id: Id;
  title: string;
  /** One sentence: the question that it answers. */
  about: string;
  settings: S;
  keys: readonly PanelKey[];
  /** Whether its frame offers to save its numbers: charts offer their own. */
  hasNumbers: boolean;
  /** Ids of its terms in the glossary. */
  terms: readonly string[];
  /** Shown if the log has no episodes of the method; null if it needs none. */
  needsEpisodes: MissingEpisodes | null;
  /** Scopes of its keys besides `turns`, as the help names them. */
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

/** Defaults: unfolded in its own pane, without settings or keys, independent of the log, with numbers to save. */
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
