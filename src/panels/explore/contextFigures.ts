/** Figures on what a model sees: the context that grows, the mask of what it wrote, and an episode that is cut. */
import { formatBrief, formatPercent, formatSignedBrief } from "../../numeric/format.ts";
import { columnNames, columnNumbers, episodeGae, handle, type Exploration } from "./exploration.ts";

/** Tokens read before each turn, with the whole episode and with the turn alone. lengths: tokens of the first query, and of a later one. */
export const contextFigure: Exploration = {
  title: "The context grows",
  needs: ["lengths"],
  handles: [
    handle("turns", "turns", [1, 10, 1], 5),
    handle("tokens", "tokens a turn", [4, 128, 4], 28),
    handle("room", "room for tokens", [256, 2048, 128], 2048),
  ],
  show({ turns = 1, tokens = 1, room = 1 }, { lengths = [] }) {
    const [first = 0, later = 0] = lengths;
    const read = Array.from({ length: turns }, (_, h) => first + h * (later + tokens)); // [H]
    const whole = read.at(-1)! + tokens;
    const full = read.findIndex((n) => n + tokens > room);
    const fits = full < 0 ? "All turns fit." : `The room is full in turn ${full + 1}.`;
    return {
      unit: "turn",
      columns: columnNumbers(turns),
      rows: [
        { name: "read, whole episode", kind: "count", values: read },
        { name: "read, one turn alone", kind: "count", values: read.map(() => first) },
        { name: "written and trained", kind: "count", values: read.map(() => tokens) },
      ],
      says: `Before turn ${turns} the model reads ${read.at(-1)} tokens. Of ${whole} tokens it wrote ${turns * tokens}, ${formatPercent((turns * tokens) / whole)}. ${fits}`,
    };
  },
};

/** Credit on a row of tokens whose mask is shifted. lengths: tokens of the prompt, the response, and the next prompt. */
export const maskFigure: Exploration = {
  title: "A mask that is off by one",
  needs: ["tokens", "lengths"],
  handles: [
    handle("shift", "shift of the mask", [-2, 2, 1], 0),
    handle("advantage", "advantage A", [-2, 2, 0.5], 1),
  ],
  show({ shift = 0, advantage = 0 }, { tokens = [], lengths = [] }) {
    const [before = 0, written = 0] = lengths;
    const isIn = (i: number) => i >= before && i < before + written;
    const own = tokens.map((_, i) => isIn(i)); // [N]
    const trained = tokens.map((_, i) => isIn(i - shift)); // [N]
    const named = (of: (i: number) => boolean) =>
      tokens.flatMap((token, i) => (of(i) ? [`“${token}”`] : [])).join(" and ");
    const lost = named((i) => own[i]! && !trained[i]!);
    const wrong = named((i) => !own[i]! && trained[i]!);
    return {
      columns: tokens,
      rows: [
        { name: "the model wrote it", kind: "share", values: own.map(Number) },
        { name: "credit", kind: "credit", values: trained.map((is) => (is ? advantage : 0)) },
      ],
      says:
        lost === ""
          ? "All that the model wrote is credited, and nothing else."
          : `${lost} of the model gets no credit. ${wrong} of the prompt is trained as if the model had written it.`,
    };
  },
};

/** An episode cut before its end: the last turn's credit without what follows, and with V of the next state. */
export const cutFigure: Exploration = {
  title: "Cut off, or over?",
  needs: ["rewards", "values"],
  handles: [
    handle("cut", "cut after turn", [1, 5, 1], 2),
    handle("bootstrap", "bootstrap (1 = yes)", [0, 1, 1], 0),
    handle("gamma", "γ", [0.9, 1, 0.01], 0.99),
    handle("lambda", "λ", [0, 1, 0.1], 0.9),
  ],
  show({ cut = 1, bootstrap = 0, gamma = 1, lambda = 1 }, { rewards = [], values = [] }) {
    const last = Math.min(cut, rewards.length);
    const next = bootstrap === 1 ? (values[last] ?? 0) : 0;
    const credit = (turns: number, after: number) =>
      episodeGae(rewards.slice(0, turns), values.slice(0, turns), gamma, lambda, after).adv;
    const whole = credit(rewards.length, 0); // [H]
    const seen = credit(last, next); // [last]
    const upTo = (of: ArrayLike<number>) =>
      rewards.map((_, h) => (h < last ? (of[h] ?? null) : null));
    const rest = bootstrap === 1 ? `V = ${formatBrief(next)}` : "0";
    return {
      columns: columnNames("turn", rewards.length),
      rows: [
        { name: "reward", kind: "amount", values: upTo(rewards) },
        { name: "V before the turn", kind: "amount", values: upTo(values) },
        { name: "credit, cut", kind: "credit", values: upTo(seen) },
        { name: "credit, played on", kind: "credit", values: Array.from(whole) },
      ],
      says: `After turn ${last} the rest counts as ${rest}. Turn ${last} is credited ${formatSignedBrief(seen[last - 1]!)}; played on, it was ${formatSignedBrief(whole[last - 1]!)}.`,
    };
  },
};
