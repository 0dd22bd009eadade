/** Sokoban as data. Its levels take time to make, so that training has a family of its own for it. */
import { describe, entry } from "../descriptor.ts";
import { gridIn, gridLabel, type Picture, type Sprite } from "../picture.ts";
import { SOKOBAN_DEFAULTS, SokobanEnv } from "./sokobanEnv.ts";

/** RAGEN's symbols. */
const SPRITES: Readonly<Record<string, readonly Sprite[]>> = {
  "#": ["wall"],
  _: [],
  O: ["target"],
  X: ["box"],
  "√": ["box", "tick"],
  P: ["player"],
  S: ["target", "player"],
};

function picture(observation: string): Picture | null {
  const grid = gridIn(observation, Object.keys(SPRITES).join(""));
  if (!grid) return null;
  const label = gridLabel("board", grid.rows, [
    ["Player", "PS"],
    ["Box", "X"],
    ["Box on target", "√"],
    ["Target", "OS"],
  ]);
  const rows = grid.rows.map((row) => row.map((c) => SPRITES[c]!));
  return { rows, label, notes: grid.notes };
}

const { size, ...defaults } = SOKOBAN_DEFAULTS;

export const sokoban = describe({
  kind: "sokoban",
  title: "Sokoban",
  registered: [
    entry({
      name: "Sokoban-v0",
      about: "RAGEN's Sokoban: push all boxes onto targets",
      defaults: { rows: size[0], columns: size[1], ...defaults },
      create: ({ rows, columns, ...rest }) => new SokobanEnv({ size: [rows, columns], ...rest }),
    }),
  ],
  fields: [
    { path: "environment.maxTurns", label: "Turns at most" },
    { path: "environment.maxActionsPerTurn", label: "Actions per turn", hint: "At most" },
    {
      path: "environment.minActionsPerTurn",
      label: "Actions per turn, at least",
      hint: "Fewer are bad form; empty: 1",
    },
    { path: "environment.stepCost", label: "Paid per action", hint: "Empty: −0.1" },
    { path: "environment.successBonus", label: "Paid for solving", hint: "Empty: 10" },
    { path: "environment.slip", label: "Slip", hint: "Share of moves that go another way" },
    {
      path: "environment.observationNoise",
      label: "Observation noise",
      hint: "Share of cells shown wrongly",
    },
    {
      path: "environment.think",
      label: "Think first",
      options: [
        { value: "", label: "no" },
        { value: "true", label: "yes" },
      ],
    },
  ],
  answers: { form: "moves with || between them", example: "Up || Left" },
  picture,
  ragen: { tag: "TurnbookSokoban", type: "sokoban", instruction: "", settings: {} },
  training: null,
});
