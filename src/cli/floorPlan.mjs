// `node src/cli/floorPlan.mjs`: draws the floor plan in src/README.md from the rules of .dependency-cruiser.mjs.
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BESIDE, FLOORS } from "../../.dependency-cruiser.mjs";
import { root } from "./setup.mjs";

const MARKS = ["<!-- floor plan -->", "<!-- end of the floor plan -->"];
const WIDTH = 13;
const MOST = Math.max(...FLOORS.map((rooms) => rooms.length));

/** The title of a room's README: a short description. */
function titleOf(room) {
  return readFileSync(join(root, "src", room, "README.md"), "utf8")
    .split("\n")[0]
    .slice(2);
}

/** The top floor first; with a wall between rooms, and a ceiling over each floor. */
export function floorPlan() {
  const wide = MOST * (WIDTH + 1) + 1;
  const ceiling = `    +${"-".repeat(wide - 2)}+`;
  const floors = FLOORS.map((rooms, floor) => {
    const size = Math.floor((wide - 1) / rooms.length) - 1;
    const cells = rooms.map((room) => ` ${room}`.padEnd(size));
    const row = `|${cells.join("|")}`.padEnd(wide - 1);
    return `  ${floor} ${row}|`;
  });
  const drawn = [...floors].reverse().flatMap((row) => [ceiling, row]);
  const rows = FLOORS.flatMap((rooms, floor) =>
    rooms.map((room) => {
      const beside = BESIDE[room]?.map((other) => `\`${other}\``).join(", ") ?? "";
      return `| ${floor} | [\`${room}\`](${room}/README.md) | ${titleOf(room)} | ${beside} |`;
    }),
  ).reverse();
  const table = ["| floor | room | what it is | beside |", "|---|---|---|---|", ...rows];
  return ["```", ...drawn, ceiling, "```", "", ...table].join("\n");
}

/** The text with the plan between its markers. */
export function withPlan(text) {
  const [before, rest] = text.split(MARKS[0]);
  const [, after] = rest.split(MARKS[1]);
  return `${before}${MARKS[0]}\n\n${floorPlan()}\n\n${MARKS[1]}${after}`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const readme = join(root, "src", "README.md");
  writeFileSync(readme, withPlan(readFileSync(readme, "utf8")));
}
