/** Lines of `turnbook-rollouts/1`, which any trainer can write, and every import can be written as. */
import { InputError } from "../../numeric/inputError.ts";
import {
  isRolloutLine,
  readRolloutLine,
  type RolloutEpisode,
  type RolloutHeader,
  type RolloutLine,
  type RolloutTurn,
} from "../rollouts/lines.ts";
import {
  bareTurn,
  type Findings,
  type ForeignEpisode,
  type ForeignTurn,
  type Format,
} from "./foreign.ts";
import { checkedSettings } from "./settings.ts";
import { tokensIn, tokenTurn } from "./tokens.ts";
import { isRecord } from "../../spec/jsonText.ts";
import { numberOf } from "./values.ts";

/** What verl and others call the rows of the table here. */
const ESTIMATORS: Readonly<Record<string, string>> = { gae: "token-ppo" };

const NO_HEADER: RolloutHeader = {
  framework: null,
  version: null,
  tokenizer: null,
  settings: {},
  groupSize: null,
};

export const rolloutLines: Format = {
  apart: "nothing",
  fits: (value) => isRolloutLine(value) || (isRecord(value) && isRecord(value["vocab"])),
  context: (value) => isRecord(value) && ("format" in value || "vocab" in value),
  reader(findings) {
    let alone = 0;
    const vocab = new Map<string, string>();
    let header = NO_HEADER;
    const take = (line: RolloutLine) => {
      if (line.kind === "header") {
        header = line.header;
        noteSettings(findings, header);
      } else if (line.kind === "vocab")
        for (const [id, text] of Object.entries(line.vocab)) vocab.set(id, text);
      else if (line.kind === "metrics") {
        const { step, run, metrics } = line;
        findings.metrics(run ?? runOf(header), step, metrics);
      } else {
        const { episode } = line;
        const run =
          (episode.run ?? runOf(header)) + (episode.split === "eval" ? "-validation" : "");
        const task = episode.group ?? `episode ${++alone}`;
        findings.episode(run, episode.step, foreignOf(episode, task, vocab));
      }
    };
    return {
      take(value) {
        try {
          take(readRolloutLine(value));
          return true;
        } catch (error) {
          if (error instanceof InputError) return error.message;
          throw error;
        }
      },
      endFile() {
        header = NO_HEADER;
      },
    };
  },
};

/** A run is named after its estimator where that is a row of the table, so that its advantages count as that row's. */
function runOf({ settings, framework }: RolloutHeader): string {
  const { estimator } = settings;
  const name = typeof estimator === "string" ? (ESTIMATORS[estimator] ?? estimator) : "";
  return checkedSettings(name, {}, null) ? name : (framework ?? "rollouts");
}

const NUMBERS = ["gamma", "lambda", "epsLow", "epsHigh", "dualClip"] as const;

function noteSettings(findings: Findings, header: RolloutHeader): void {
  const name = runOf(header);
  const set: Record<string, number> = {};
  for (const key of NUMBERS) {
    const value = numberOf(header.settings[key]);
    if (value !== null) set[key] = value;
  }
  const found = checkedSettings(name, set, header.groupSize);
  if (found && Object.keys(set).length > 0) findings.settings(name, found.said, found.missing);
}

function foreignOf(
  episode: RolloutEpisode,
  task: string,
  vocab: ReadonlyMap<string, string>,
): ForeignEpisode {
  const { id, seed, reward, rewards, penalty, greedyScore, policy, final, finalValue } = episode;
  const { success, terminated, truncated, split, columns } = episode;
  const hasTokens = Object.keys(columns).length > 0;
  let at = 0;
  const turns = episode.turns.map((turn) => {
    const from = at;
    at += turn.n;
    if (!hasTokens) return foreignTurn(turn);
    const tokens = tokensIn(columns, from, at, (one) => vocab.get(String(one)) ?? null);
    return withTurn(tokenTurn(turn.observation ?? "", turn.text ?? "", tokens), turn);
  });
  return {
    task,
    seed,
    reward,
    ...(penalty !== null && { penalty }),
    ...(greedyScore !== null && { greedyScore }),
    success,
    terminated,
    truncated,
    finalObservation: final ?? "",
    ...(finalValue !== null && {
      finalValues: { "token-ppo": finalValue, "turn-ppo": finalValue },
    }),
    turns,
    ...(id !== null && { id }),
    ...(split === "eval" && { split }),
    ...(rewards && { rewards }),
    ...(policy && { policy }),
  };
}

function foreignTurn(turn: RolloutTurn): ForeignTurn {
  return withTurn(bareTurn(turn.observation ?? "", turn.text ?? ""), turn);
}

/** What the line says of the turn itself goes before what follows from its tokens. */
function withTurn(turn: ForeignTurn, said: RolloutTurn): ForeignTurn {
  return {
    ...turn,
    actions: said.actions ? [...said.actions] : null,
    reward: said.reward,
    formatPenalty: said.formatPenalty ?? null,
    value: said.value ?? turn.value,
    advantage: said.advantage ?? turn.advantage,
    return: said.return ?? turn.return,
    ratio: said.ratio ?? turn.ratio,
    clipped: said.clipped ?? turn.clipped,
    ...(said.gain !== null && { gain: said.gain }),
  };
}
