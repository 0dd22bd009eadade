/** Words of the lens. */
import type { Missed } from "../../store/turnChoice.ts";
import { titleOf } from "../../reading/titles.ts";

export const words = {
  title: "The credit lens",
  intro:
    "One run, seen from many sides. Every panel shows the same place of it: a method, an iteration, an episode, a turn, perhaps a token. Move it anywhere and all panels follow; the address keeps it, so that a link leads others to the same place.",
  back: "Back to the notebook",
  turn: "Turn",
  token: "Token",
  of: "of",
  wholeTurn: "the whole turn",
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
        ? `No episodes of iteration ${meant} are here: iteration ${shown} is shown.`
        : `There is no ${part} ${meant} here: ${part} ${shown} is shown.`,
  toRecord: "To the record",
  backHint: "all panels show again what was recorded (key w switches)",
  goTo: "Go to panel",
  go: "Go",
  panels: "Panels",
  alone: "Alone",
  aloneLabel: (title: string) => `Show ${title} alone`,
  place: (method: string, iteration: number, episode: number, of: number) =>
    `${method}, iteration ${iteration}, episode ${episode} of ${of}`,
  backToAll: "All panels",
  opening: "Opening …",
  show: "Show",
  hide: "Hide",
} as const;
