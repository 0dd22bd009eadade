/**
 * The referee's tasks: small games whose true advantages are known exactly, each about one thing
 * that makes credit hard. A response is written as its tokens.
 */
import type { GameOutcome, RefereeTask } from "./game.ts";

type States = Record<string, Record<string, readonly GameOutcome[]>>;

/** The next state, for sure. */
const to = (state: string | null, reward = 0): readonly GameOutcome[] => [[state, reward]];

/** The end, with 1 paid by chance. */
const wins = (chance: number): readonly GameOutcome[] => [
  [null, 1, chance],
  [null, 0, 1 - chance],
];

/** Responses that differ in nothing but their length. */
const TALK = { so: 1, "well then": 1 };

/** States of turns that change nothing, `NAME 1` to `NAME count`, then `end`. */
function talk(name: string, count: number, end: readonly GameOutcome[]): States {
  const turn = (i: number) => {
    const next = i < count ? to(`${name} ${i + 1}`) : end;
    return [`${name} ${i}`, { so: next, "well then": next }] as const;
  };
  return Object.fromEntries(Array.from({ length: count }, (_, i) => turn(i + 1)));
}

/** The policy that talks in these states. */
const talks = (states: States) =>
  Object.fromEntries(Object.keys(states).map((name) => [name, TALK]));

/** A fork, then three turns of talk: the turn that decides comes first, the pay last. */
function forkTask(): RefereeTask {
  const roads = { ...talk("left", 3, wins(0.8)), ...talk("right", 3, wins(0.2)) };
  return {
    name: "fork",
    title: "A fork",
    tests: "The first of four turns decides; the pay comes at the end.",
    start: { fork: 1 },
    policy: { fork: { left: 1, right: 1 }, ...talks(roads) },
    states: { fork: { left: to("left 1"), right: to("right 1") }, ...roads },
  };
}

/** Six turns of which the fourth decides: credit for the other five is wrong. */
function distractorTask(): RefereeTask {
  const before = talk("before", 3, to("door"));
  const after = { ...talk("red", 2, wins(0.9)), ...talk("blue", 2, wins(0.1)) };
  return {
    name: "distractors",
    title: "Distractor turns",
    tests: "Five of six turns change nothing; the fourth decides.",
    start: { "before 1": 1 },
    policy: { ...talks(before), door: { "open red": 1, "open blue": 1 }, ...talks(after) },
    states: {
      ...before,
      door: { "open red": to("red 1"), "open blue": to("blue 1") },
      ...after,
    },
  };
}

/** A choice is paid six turns later, and every turn between pays or costs by luck. */
function delayTask(): RefereeTask {
  const names = (side: string) => Array.from({ length: 6 }, (_, i) => `${side} ${i + 1}`);
  const road = (side: string, pay: number): States =>
    Object.fromEntries(
      names(side).map((name, i, all) => {
        const next = all[i + 1] ?? null;
        const base = next === null ? pay : 0;
        const luck: readonly GameOutcome[] = [
          [next, base + 0.3, 0.5],
          [next, base - 0.3, 0.5],
        ];
        return [name, { so: luck, "well then": luck }];
      }),
    );
  const roads = { ...road("save", 1), ...road("spend", 0) };
  return {
    name: "delay",
    title: "Delayed pay",
    tests: "A choice is paid six turns later; lucky gains and losses come between.",
    start: { shop: 1 },
    policy: { shop: { save: 1, spend: 1 }, ...talks(roads) },
    states: { shop: { save: to("save 1"), spend: to("spend 1", 0.3) }, ...roads },
  };
}

/** A tool that fails half of the time and may be asked again: the outcome is not the call's merit. */
function toolTask(): RefereeTask {
  const tries = [1, 2, 3];
  const ask = (i: number): readonly GameOutcome[] => [
    ["result", -0.05, 0.5],
    [i < 3 ? `try ${i + 1}` : "no result", -0.05, 0.5],
  ];
  const choice = { "call tool": 2, guess: 1 };
  return {
    name: "tool",
    title: "A tool that fails",
    tests: "A useful call fails half of the time, and a useless one sometimes wins.",
    start: { "try 1": 1 },
    policy: {
      ...Object.fromEntries(tries.map((i) => [`try ${i}`, choice])),
      result: { "use it": 3, guess: 1 },
      "no result": { guess: 1, "give up": 1 },
    },
    states: {
      ...Object.fromEntries(
        tries.map((i) => [`try ${i}`, { "call tool": ask(i), guess: wins(0.3) }]),
      ),
      result: { "use it": wins(0.95), guess: wins(0.3) },
      "no result": { guess: wins(0.3), "give up": to(null) },
    },
  };
}

/** A jump may end in a pit, where turns go on and nothing helps: a mistake that no later turn mends. */
function pitTask(): RefereeTask {
  const LAST = 5;
  const at = (place: string, turn: number) => (turn > LAST ? null : `${place} ${turn}`);
  const pay = (turn: number) => (turn === LAST ? 1 : 0);
  const path = (turn: number): readonly [string, States[string]] => {
    const jump: readonly GameOutcome[] = [
      [at("path", turn + 1), pay(turn) + 0.1, 0.7],
      [at("pit", turn + 1), 0, 0.3],
    ];
    return [`path ${turn}`, { step: to(at("path", turn + 1), pay(turn)), "jump far": jump }];
  };
  const pit = (turn: number): readonly [string, States[string]] => {
    const on = to(at("pit", turn + 1));
    return [`pit ${turn}`, { climb: on, "call out": on }];
  };
  const turns = Array.from({ length: LAST }, (_, i) => i + 1);
  return {
    name: "pit",
    title: "A mistake for good",
    tests: "A tempting jump may end the chance of the pay; the turns after it cannot mend it.",
    start: { "path 1": 1 },
    policy: {
      ...Object.fromEntries(turns.map((i) => [`path ${i}`, { step: 3, "jump far": 1 }])),
      ...Object.fromEntries(turns.slice(1).map((i) => [`pit ${i}`, { climb: 1, "call out": 1 }])),
    },
    states: Object.fromEntries([...turns.map(path), ...turns.slice(1).map(pit)]),
  };
}

/** Two rooms look alike, and what is right in one is wrong in the other, unless the sign was read. */
function aliasTask(): RefereeTask {
  const rooms = ["east", "west"] as const;
  const door = (room: string): States[string] => ({
    "go east": wins(room === "east" ? 0.9 : 0.1),
    "go west": wins(room === "west" ? 0.9 : 0.1),
  });
  return {
    name: "alias",
    title: "Rooms that look alike",
    tests:
      "Two states look the same and need opposite responses, unless a turn is spent on a sign.",
    start: { "east hall": 1, "west hall": 1 },
    sees: Object.fromEntries(
      rooms.flatMap((room) => [
        [`${room} hall`, "hall"],
        [`${room} unread`, "door"],
        [`${room} read`, `door, sign says ${room}`],
      ]),
    ),
    policy: {
      hall: { "read sign": 1, walk: 1 },
      door: { "go east": 1, "go west": 1 },
      "door, sign says east": { "go east": 3, "go west": 1 },
      "door, sign says west": { "go east": 1, "go west": 3 },
    },
    states: Object.fromEntries(
      rooms.flatMap((room) => [
        [`${room} hall`, { "read sign": to(`${room} read`, -0.05), walk: to(`${room} unread`) }],
        [`${room} unread`, door(room)],
        [`${room} read`, door(room)],
      ]),
    ),
  };
}

/** Work is paid by the turn and may go on; stopping gives a coin's pay. Responses and episodes differ in length. */
function lengthTask(): RefereeTask {
  const LAST = 6;
  const turns = Array.from({ length: LAST }, (_, i) => i + 1);
  const stop = { stop: wins(0.5) };
  return {
    name: "lengths",
    title: "Lengths that vary",
    tests:
      "Each turn of work is paid, whoever stops ends early, and work takes three tokens to stop's one.",
    start: { "day 1": 1 },
    policy: Object.fromEntries(
      turns.map((i) => [`day ${i}`, { "work on it": 2, ...(i < LAST && { stop: 1 }) }]),
    ),
    states: Object.fromEntries(
      turns.map((i) => [
        `day ${i}`,
        i < LAST ? { "work on it": to(`day ${i + 1}`, 0.2), ...stop } : { "work on it": wins(0.5) },
      ]),
    ),
  };
}

/** A guess at once wins by luck; three turns of careful work win by merit. */
function luckTask(): RefereeTask {
  const steps = [1, 2, 3];
  const care = (i: number, right: number): readonly GameOutcome[] =>
    i < 3
      ? [
          [`step ${i + 1}`, 0, right],
          ["spoilt", 0, 1 - right],
        ]
      : wins(right);
  return {
    name: "luck",
    title: "A lucky guess",
    tests: "A guess wins now and then; what it won is no merit of the guess.",
    start: { task: 1 },
    policy: {
      task: { guess: 1, work: 1 },
      ...Object.fromEntries(steps.map((i) => [`step ${i}`, { "with care": 2, fast: 1 }])),
      spoilt: TALK,
    },
    states: {
      task: { guess: wins(0.3), work: to("step 1") },
      ...Object.fromEntries(
        steps.map((i) => [`step ${i}`, { "with care": care(i, 0.95), fast: care(i, 0.6) }]),
      ),
      spoilt: { so: to(null), "well then": to(null) },
    },
  };
}

/** Four locks of which each must be right, and nobody says which was wrong: every turn counts. */
function locksTask(): RefereeTask {
  const LAST = 4;
  const turns = Array.from({ length: LAST }, (_, i) => i + 1);
  const next = (turn: number, open: boolean) =>
    turn < LAST ? to(`lock ${turn + 1}${open ? "" : ", shut"}`) : to(null, open ? 1 : 0);
  const both = turns.flatMap((i) => [`lock ${i}`, ...(i > 1 ? [`lock ${i}, shut`] : [])]);
  return {
    name: "locks",
    title: "Every turn counts",
    tests: "Four turns must all be right, and no observation says which was wrong.",
    start: { "lock 1": 1 },
    sees: Object.fromEntries(both.map((name) => [name, name.replace(", shut", "")])),
    policy: Object.fromEntries(
      turns.map((i) => [`lock ${i}`, { "turn left": 3, "turn right": 1 }]),
    ),
    states: Object.fromEntries(
      both.map((name) => {
        const [turn, open] = [Number(name[5]), !name.includes("shut")];
        return [name, { "turn left": next(turn, open), "turn right": next(turn, false) }];
      }),
    ),
  };
}

const TOPICS = ["sea", "sky"] as const;
const ANSWERS = ["yes", "no"] as const;

/**
 * Search and answer with a tool, as in the setting of ST-PPO's evidence: a question with a hidden answer; a search on its
 * topic mostly finds the document that says it, any other finds nothing, and each search costs a little.
 */
function searchTask(): RefereeTask {
  const LAST = 4;
  const states: States = {};
  const sees: Record<string, string> = {};
  const policy: Record<string, Record<string, number>> = {};
  const answer = (says: string) =>
    Object.fromEntries(ANSWERS.map((word) => [`answer ${word}`, to(null, word === says ? 1 : 0)]));
  for (const topic of TOPICS)
    for (const hidden of ANSWERS) {
      for (let turn = 1; turn <= LAST; turn++) {
        const name = `${topic} ${hidden} ${turn}`;
        const found = `${topic} ${hidden} found`;
        const left = `${topic}?, ${LAST - turn} searches left`;
        const search = (about: string): readonly GameOutcome[] => {
          const chance = about === topic ? 0.7 : 0;
          return [
            ...(chance > 0 ? [[found, -0.05, chance] as const] : []),
            [`${topic} ${hidden} ${turn + 1}`, -0.05, 1 - chance],
          ];
        };
        const searches = TOPICS.map((about) => [`search ${about} now`, search(about)] as const);
        states[name] = { ...answer(hidden), ...(turn < LAST && Object.fromEntries(searches)) };
        sees[name] = left;
        policy[left] = {
          "answer yes": 1,
          "answer no": 1,
          ...(turn < LAST && { "search sea now": 2, "search sky now": 2 }),
        };
        sees[found] = `${topic}?, found ${hidden}`;
        states[found] = answer(hidden);
        policy[sees[found]] = Object.fromEntries(
          ANSWERS.map((word) => [`answer ${word}`, word === hidden ? 4 : 1]),
        );
      }
    }
  return {
    name: "search",
    title: "Search and answer",
    tests:
      "A question, a search tool that may find the document, and an answer (ST-PPO's setting).",
    start: Object.fromEntries(
      TOPICS.flatMap((topic) => ANSWERS.map((hidden) => [`${topic} ${hidden} 1`, 1])),
    ),
    sees,
    policy,
    states,
    solved: 0.5,
  };
}

/** In display order. */
export const refereeTasks: readonly RefereeTask[] = [
  forkTask(),
  distractorTask(),
  delayTask(),
  toolTask(),
  pitTask(),
  aliasTask(),
  lengthTask(),
  luckTask(),
  locksTask(),
  searchTask(),
];
