/** The table's settings, stored in the address. */
import { usePanelSetting } from "../shared/usePanelSetting.ts";
import { episodes } from "./manifest.ts";
import { firstDirection, type SortColumn } from "./order.ts";

export function useSettings() {
  const [scope, setScope] = usePanelSetting(episodes, "scope");
  const [column, setColumn] = usePanelSetting(episodes, "sort");
  const [direction, setDirection] = usePanelSetting(episodes, "direction");
  const [outcome, setOutcome] = usePanelSetting(episodes, "outcome");
  const [clipped, setClipped] = usePanelSetting(episodes, "clipped");
  const [query, setQuery] = usePanelSetting(episodes, "find");
  /** By that column; a second time in reverse. */
  const sortBy = (next: SortColumn) => {
    const turned = direction === "up" ? "down" : "up";
    setDirection(next === column ? turned : firstDirection(next));
    setColumn(next);
  };
  const showAll = () => {
    setOutcome("any");
    setClipped(false);
    setQuery("");
  };
  return {
    scope,
    column,
    direction,
    outcome,
    clipped,
    query,
    setScope,
    setOutcome,
    setClipped,
    setQuery,
    sortBy,
    showAll,
  };
}

export type EpisodeSettings = ReturnType<typeof useSettings>;
