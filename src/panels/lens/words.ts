/** UI texts of the lens. */
import type { Missed } from "../../store/turnChoice.ts";
import { titleOf } from "../../reading/titles.ts";

export const words = {
  title: "The credit lens",
  turn: "Turn",
  token: "Token",
  of: "of",
  wholeTurn: "All tokens",
  previous: (name: string) => `Previous ${name.toLowerCase()}`,
  next: (name: string) => `Next ${name.toLowerCase()}`,
  earned: (episode: string, turn: string | null) =>
    turn === null ? `episode ${episode} reward` : `episode ${episode}, turn ${turn} reward`,
  notInFile: "not in the file",
  fork: (number: number, episode: number) => `Fork ${number} of episode ${episode + 1}`,
  branch: (branch: number, of: number) => (of === 1 ? "" : `, continuation ${branch + 1} of ${of}`),
  missed: ({ part, meant, shown }: Missed) =>
    part === "method"
      ? `This run has no method “${meant}”: ${titleOf(shown)} is shown.`
      : part === "iteration"
        ? `No episodes were recorded for iteration ${meant}: iteration ${shown} is shown.`
        : `No ${part} ${meant} is recorded: ${part} ${shown} is shown.`,
  toRecord: "Back to recording",
  backHint: "all panels show the recorded episode again (key w switches)",
  panels: "Panels",
  alone: "Expand",
  aloneLabel: (title: string) => `Expand ${title}`,
  backToAll: "All panels",
  opening: "Opening …",
} as const;
