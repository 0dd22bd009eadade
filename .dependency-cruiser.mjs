// What may import what: the floors of the house, and no circles. `npm run floors` draws on this, and so does a test.

/** Rooms by floor. A room may import any room on a lower floor. */
export const FLOORS = [
  ["numeric"],
  ["method"],
  ["spec", "record"],
  ["env", "text", "engine"],
  ["algorithm", "model"],
  ["rollout"],
  ["train"],
  ["runtime", "reading", "interchange"],
  ["notebook", "store", "figures", "ui"],
  ["charts", "draw", "panels"],
  ["app", "cli"],
];

/** What a room may import on its own floor. */
export const BESIDE = {
  record: ["spec"],
  reading: ["interchange"],
  store: ["notebook"],
  figures: ["store"],
  draw: ["charts"],
  panels: ["charts", "draw"],
};

/** Rooms of the screen see these for types only: work goes through runtime to the worker. */
const SCREEN = ["figures", "draw", "panels", "app"];
const TYPES_ONLY = ["engine", "model", "rollout", "train"];

/** Rooms that are further apart than their floors say. */
const APART = { algorithm: ["engine"], ...Object.fromEntries(knowOnly()) };

/** Parts, charts and what draws figures know no run, only what figures say of one: this is all they may import. */
function knowOnly() {
  const rooms = {
    ...{ ui: ["numeric"], charts: ["numeric", "ui", "figures"] },
    draw: ["numeric", "ui", "charts", "figures"],
  };
  const others = ([room, may]) =>
    FLOORS.flat().filter((other) => other !== room && !may.includes(other));
  return Object.entries(rooms).map((entry) => [entry[0], others(entry)]);
}

const inside = (rooms) => `^src/(${rooms.join("|")})/`;

/** Above or beside a room, but for what it may import there. */
const outOfReach = (room, floor) =>
  FLOORS.slice(floor)
    .flat()
    .filter((other) => other !== room && !BESIDE[room]?.includes(other));

const rooms = FLOORS.flatMap((beside, floor) => beside.map((room) => ({ room, floor })));

const forbidden = [
  { name: "no-circles", from: { path: "^src/" }, to: { circular: true } },
  { name: "rooms-of-the-design", from: {}, to: { path: "^src/", pathNot: inside(FLOORS.flat()) } },
  ...rooms.map(({ room, floor }) => ({
    name: `only-down-from-${room}`,
    from: { path: inside([room]) },
    to: { path: inside(outOfReach(room, floor)) },
  })),
  ...Object.entries(APART).map(([room, others]) => ({
    name: `${room}-apart`,
    from: { path: inside([room]) },
    to: { path: inside(others) },
  })),
  // Three algorithms straight through, to which a test holds the table: of use only while neither leans on the other.
  {
    name: "nothing-runs-what-is-to-be-read",
    from: { path: "^src/" },
    to: { path: "^src/algorithm/reading/" },
  },
  {
    name: "what-is-to-be-read-needs-no-other-file",
    from: { path: "^src/algorithm/reading/" },
    to: { path: "^src/", pathNot: inside(["numeric", "spec", "record", "method"]) },
  },
  {
    name: "figures-without-react",
    from: { path: "^src/figures/" },
    to: { path: "react|[.](tsx|css)$" },
  },
  // A folder is a panel, but for `shared` (what several panels show) and `lens` (what is around them).
  {
    name: "no-panel-imports-a-panel",
    from: { path: "^src/panels/([^/]+)/" },
    to: { path: "^src/panels/[^/]+/", pathNot: "^src/panels/($1|shared)/" },
  },
  {
    name: "panels-do-not-see-their-table",
    from: { path: "^src/panels/[^/]+/", pathNot: "^src/panels/lens/" },
    to: { path: "^src/panels/[^/]+$" },
  },
  {
    name: "screen-sees-types-only",
    from: { path: inside(SCREEN) },
    to: { path: inside(TYPES_ONLY), dependencyTypesNot: ["type-only"] },
  },
];

export const cruiserOptions = {
  doNotFollow: { path: "node_modules" },
  exclude: { path: "^src/engine/wasm/assembly" },
  // Types count: what a file means is behind them, too.
  tsPreCompilationDeps: true,
  tsConfig: { fileName: "tsconfig.json" },
};

// dependency-cruiser looks for a default export.
export default {
  forbidden: forbidden
    .filter(({ to }) => to.circular || to.path !== inside([]))
    .map((rule) => ({
      severity: "error",
      ...rule,
    })),
  options: cruiserOptions,
};
