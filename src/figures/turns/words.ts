/** Words of the turns. */
import { hintOf } from "../../spec/glossary.ts";

export const words = {
  row: "Turn",
  turn: (h: number) => `Turn ${h + 1}`,
  observation: "Observation",
  response: "Response",
  table: "Turns of the episode",
  notInFile: "not in the file",
  notInFork: "–",
  fork: "This fork was not trained on: it has no advantage, target or ratio.",
  noText: "(nothing)",
  noAction: "no action",
  actions: (list: string) => `actions: ${list}`,
  penalty: (number: string) => `format penalty ${number}`,
  noCritic: "no critic",
  noTarget: "no target",
  moreText: (letters: number) => `… (${letters} more characters: see the panel Conversation)`,
  final: "After the last turn",
  clipped: "clipped",
  clipNotInFile: "clip not in the file",
  numbers: {
    value: { name: "V(s)", hint: hintOf("value") },
    reward: { name: "Reward", hint: hintOf("reward") },
    advantage: { name: "Advantage", hint: hintOf("advantage") },
    return: { name: "Return", hint: hintOf("return") },
    ratio: { name: "Ratio", hint: hintOf("ratio") },
  },
} as const;
