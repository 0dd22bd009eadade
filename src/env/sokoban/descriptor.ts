/**
 * Sokoban as data. Its levels take time to generate, so `train` has a separate task family for it.
 */
import { describe, entry, commonFields } from "../descriptor.ts";
import { THOUGHT_LENGTHS } from "../../spec/thoughts.ts";
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
    { part: "world", path: "environment.rows", label: "Rows", unit: "cells, walls included" },
    { part: "world", path: "environment.columns", label: "Columns", unit: "cells, walls included" },
    { part: "world", path: "environment.boxes", label: "Boxes" },
    commonFields.maxTurns,
    {
      part: "turns",
      path: "environment.maxActions",
      label: "Actions at most",
      hint: "Per episode",
    },
    { part: "turns", path: "environment.maxActionsPerTurn", label: "Actions per turn, at most" },
    {
      part: "turns",
      path: "environment.minActionsPerTurn",
      label: "Actions per turn, at least",
      hint: "Fewer are penalised as bad form",
      absent: "1",
    },
    commonFields.think,
    {
      part: "turns",
      path: "environment.thought",
      label: "Chat in words, thoughts of about",
      hint: "For models that speak",
      options: [
        { value: "", label: "no words: a token per cell" },
        ...THOUGHT_LENGTHS.map((length) => ({
          value: String(length),
          label: length === 0 ? "no thoughts" : `${length} tokens`,
        })),
      ],
    },
    {
      part: "reward",
      path: "environment.successBonus",
      label: "Success bonus",
      hint: "Paid when solved",
      absent: String(SOKOBAN_DEFAULTS.successBonus),
    },
    {
      part: "reward",
      path: "environment.stepCost",
      label: "Step cost",
      hint: "Reward of every action; below 0 it costs",
      absent: String(SOKOBAN_DEFAULTS.stepCost),
    },
    commonFields.formatPenalty,
    {
      part: "chance",
      path: "environment.slip",
      label: "Slip",
      hint: "Share of moves that go another way",
      absent: "0",
    },
    {
      part: "chance",
      path: "environment.observationNoise",
      label: "Observation noise",
      hint: "Share of cells shown wrongly",
      absent: "0",
    },
  ],
  task: "level",
  shownAs: "picture",
  editable: true,
  answers: { form: "moves with || between them", example: "Up || Left" },
  picture,
  ragen: { tag: "TurnbookSokoban", type: "sokoban", instruction: "", settings: {} },
  training: null,
});
