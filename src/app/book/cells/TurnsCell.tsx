/** The turns of the newest episode: the panel over the experiment's own cursor. */
import { lensPanels } from "../../../panels/panelTable.ts";

const { Panel } = lensPanels.find(({ id }) => id === "turns")!;

export const TurnsCell = () => <Panel />;
