/** Command lines as people and scripts get them wrong: every command, every option, every kind of bad value and file. */

export interface CommandCase {
  argv: string[];
  code: 0 | 1 | 2;
}

/** What an option takes, and so what it must refuse. */
type Kind = "integer" | "number" | "choice" | "file" | "turns" | "text";

interface Base {
  /** A whole command line that ends with 0. */
  argv: string[];
  /** Its options, with the value that it has there or could have. */
  options: Record<string, [kind: Kind, value: string]>;
  /** Not run as it is: it would take long. */
  slow?: boolean;
}

/** Names of the files that `writeFiles` of this area makes. */
export const FILES = {
  level: "level.xsb",
  actions: "actions.txt",
  batch: "batch.json",
  pairs: "pairs.json",
  case: "case.json",
  log: "log.jsonl",
  spec: "spec.json",
  strange: "a file\nwith \u202e strange 名 name.json",
} as const;

const MODEL = "model";

function bases(): Base[] {
  const { level, actions, batch, log } = FILES;
  const set: [Kind, string] = ["text", "gamma=0.9"];
  return [
    {
      argv: ["play", "sokoban", "--seed", "1"],
      options: {
        ...{ seed: ["integer", "1"], boxes: ["integer", "1"], "search-depth": ["integer", "50"] },
        ...{ think: ["choice", "on"], "max-turns": ["integer", "3"], actions: ["turns", actions] },
        ...{ "max-actions": ["integer", "5"], "format-penalty": ["number", "-0.5"] },
        size: ["text", "6x6"],
      },
    },
    {
      argv: ["play", "sokoban", "--level", level],
      options: { level: ["file", level], index: ["integer", "0"] },
    },
    {
      argv: ["play", "webshop", "--goal", "0"],
      options: {
        ...{ goal: ["integer", "0"], "catalog-seed": ["integer", "2"], seed: ["integer", "3"] },
        ...{ observation: ["choice", "text"], "max-turns": ["integer", "3"] },
        ...{ "show-attributes": ["choice", "on"], actions: ["turns", actions] },
        "format-penalty": ["number", "-1"],
      },
    },
    {
      argv: ["play", "gem", "--env", "FrozenLake-v0"],
      options: {
        ...{ env: ["choice", "Bandit-v0"], seed: ["integer", "3"], "max-turns": ["integer", "3"] },
        ...{ observation: ["choice", "concat"], actions: ["turns", actions] },
      },
    },
    { argv: ["solve", "sokoban", "--level", level], options: { level: ["file", level] } },
    { argv: ["reward", "webshop", "--case", FILES.case], options: { case: ["file", FILES.case] } },
    {
      argv: ["search", "webshop", "--query", "shirt"],
      options: {
        ...{ query: ["text", "a b"], page: ["integer", "1"], seed: ["integer", "1"] },
        ...{ "catalog-seed": ["integer", "2"], analyser: ["choice", "plain"] },
      },
    },
    {
      argv: ["baselines", "webshop", "--episodes", "1"],
      options: {
        ...{ episodes: ["integer", "1"], goals: ["choice", "all"], noise: ["number", "0.1"] },
        ...{ seed: ["integer", "1"], model: ["choice", "none"] },
      },
    },
    { argv: ["algorithms"], options: {} },
    { argv: ["algorithms", "grpo"], options: { set } },
    {
      argv: ["credit", "--algorithm", "turn-ppo", "--batch", batch],
      options: {
        ...{ algorithm: ["choice", "grpo"], batch: ["file", batch], set },
        ...{ normalise: ["text", "0,1"], "reward-scale": ["number", "2"] },
      },
    },
    {
      argv: ["objective", "--algorithm", "turn-ppo", "--batch", batch],
      options: { algorithm: ["choice", "grpo"], batch: ["file", batch], set },
    },
    {
      argv: ["objective", "--algorithm", "dpo", "--batch", FILES.pairs],
      options: {
        algorithm: ["choice", "ipo"],
        batch: ["file", FILES.pairs],
        set: ["text", "beta=0.2"],
      },
    },
    {
      argv: ["compare", "--batch", batch],
      options: { batch: ["file", batch], algorithms: ["choice", "turn-ppo"], set },
    },
    { argv: ["doctor", "--run", log], options: { run: ["file", log] } },
    { argv: ["spec", "nano"], options: {} },
    { argv: ["presets"], options: {} },
    { argv: ["help"], options: {} },
    {
      argv: ["logits", "--model", MODEL, "--ids", "1,2,3"],
      options: {
        ...{ model: ["file", MODEL], ids: ["text", "1,2"], grad: ["file", "labels.json"] },
        ...{ engine: ["choice", "wasm"], backend: ["choice", "cpu"] },
      },
    },
    {
      argv: ["export", "ragen", "nano", "--out", "bundle"],
      options: { gpus: ["integer", "2"], iterations: ["integer", "2"], seed: ["integer", "1"] },
    },
    {
      argv: ["train", FILES.spec],
      options: {
        ...{ iterations: ["integer", "1"], seed: ["integer", "1"], workers: ["integer", "1"] },
        ...{ engine: ["choice", "wasm"], backend: ["choice", "wasm"] },
        ...{ "keep-every": ["integer", "1"], "checkpoint-every": ["integer", "1"] },
      },
      slow: true,
    },
    {
      argv: ["clone", FILES.spec, "--out", "made"],
      options: { workers: ["integer", "1"], seed: ["integer", "1"], engine: ["choice", "wasm"] },
      slow: true,
    },
    {
      argv: ["oracle", "--run", "none", "--iteration", "1"],
      options: {
        ...{ run: ["file", "none"], iteration: ["integer", "1"], branches: ["integer", "2"] },
        ...{ episodes: ["integer", "1"], gamma: ["number", "1"], workers: ["integer", "1"] },
        algorithms: ["choice", "grpo"],
      },
      slow: true,
    },
  ] as Base[];
}

/** Values that no option of the kind takes. */
const BAD: Record<Kind, readonly string[]> = {
  integer: ["", "NaN", "-1", "1.5", "1e400", "twelve", "１２", "1\u0000", "9007199254740993000"],
  number: ["", "NaN", "1e400", "x", "-Infinity"],
  choice: ["", "nope", "grpo\u202e", "__proto__", "constructor", "x".repeat(100_000)],
  file: ["", "no where\n.json", "folder", "empty", "bytes", "deep.json", "/dev/zero", "utf16.json"],
  // Any text is somebody's turn.
  turns: ["", "no where\n.txt", "folder", "/dev/zero", "utf16.json"],
  text: [],
};

/** Large numbers that an option may take: they end soon, well or with one line. */
export const HUGE = "999999999999";

/** Every case; those with `code` 2 are refused, the others end well. */
export function commandCases(): CommandCase[] {
  const cases = bases().flatMap(casesOf);
  return [...cases, ...ODD.map((argv): CommandCase => ({ argv, code: 2 })), ...GOOD];
}

function casesOf({ argv, options, slow }: Base): CommandCase[] {
  const refused = (more: string[], from = argv): CommandCase => ({
    argv: [...from, ...more],
    code: 2,
  });
  const cases: CommandCase[] = slow ? [] : [{ argv, code: 0 }];
  for (const [key, [kind, value]] of Object.entries(options)) {
    const others = without(argv, key);
    for (const bad of BAD[kind]) cases.push(refused([`--${key}=${bad}`], others));
    cases.push(refused([`--${key}`], others));
    if (key !== "set") cases.push(refused([`--${key}`, value, `--${key}`, value], others));
    if (!slow && kind !== "file" && kind !== "turns" && key !== "grad")
      cases.push({ argv: [...others, `--${key}`, value], code: 0 });
  }
  return [
    ...cases,
    refused(["--no-such-option"]),
    refused(["--=1"]),
    refused(["--"]),
    refused(["one word\u001b[31m more"]),
    refused(["--__proto__=1"]),
  ];
}

/** The command line without an option and its value. */
function without(argv: string[], key: string): string[] {
  const at = argv.indexOf(`--${key}`);
  return at < 0 ? argv : argv.toSpliced(at, 2);
}

const { batch, pairs, level, spec, log, actions, strange } = FILES;

/** What is wrong in more than one option, or in what a file holds. */
const ODD: string[][] = [
  [],
  [""],
  ["PLAY"],
  ["toString"],
  ["__proto__"],
  ["x".repeat(100_000)],
  ["play"],
  ["play", "chess"],
  ["play", "sokoban"],
  ["play", "sokoban", "--level", level, "--seed", "1"],
  ["play", "sokoban", "--index", "1"],
  ["play", "sokoban", "--seed", "1", "--size", "6"],
  ["play", "sokoban", "--seed", "1", "--size", "0x0"],
  ["play", "sokoban", "--seed", "1", "--size", "100000x100000"],
  ["play", "sokoban", "--seed", "1", "--boxes", HUGE],
  ["play", "sokoban", "--seed", HUGE.repeat(4)],
  ["play", "webshop"],
  ["play", "webshop", "--goal", HUGE],
  ["play", "webshop", "--goal", "0", "--data", "folder"],
  ["play", "webshop", "--goal", "0", "--data", "shop"],
  ["play", "webshop", "--goal", "0", "--goals", "human"],
  ["play", "webshop", "--goal", "0", "--limit", "3"],
  ["play", "gem"],
  ["play", "gem", "--env", "FrozenLake-v0", "--set", "size=-4"],
  ["play", "gem", "--env", "FrozenLake-v0", "--set", "size=1e9"],
  ["play", "gem", "--env", "FrozenLake-v0", "--set", "nothing"],
  ["play", "gem", "--env", "FrozenLake-v0", "--set", "__proto__=1"],
  ["play", "gem", "--env", "Bandit-v0", "--set", "arms=1e12"],
  ["solve"],
  ["solve", "webshop"],
  ["solve", "sokoban", "--level", batch],
  ["solve", "sokoban", "--level", level, "--index", HUGE],
  ["reward"],
  ["reward", "webshop", "--case", batch],
  ["search", "webshop"],
  ["search", "webshop", "--query", ""],
  ["baselines", "webshop", "--episodes", HUGE],
  ["algorithms", "grpo", "ppo"],
  ["algorithms", "no-such-row"],
  ["algorithms", "--set", "gamma=1"],
  ["algorithms", "grpo", "--set", "gamma"],
  ["algorithms", "grpo", "--set", "gamma=two"],
  ["algorithms", "grpo", "--set", "gamma=NaN"],
  ["algorithms", "grpo", "--set", "__proto__=1"],
  ["algorithms", "dpo", "--set", "beta=1"],
  ["credit", "--algorithm", "grpo"],
  ["credit", "--batch", batch],
  ["credit", "--algorithm", "dpo", "--batch", batch],
  ["credit", "--algorithm", "grpo", "--batch", log],
  ["credit", "--algorithm", "grpo", "--batch", spec],
  ["credit", "--algorithm", "grpo", "--batch", batch, "--set", "gamma=1", "--set", "gamma=1"],
  ["credit", "--algorithm", "grpo", "--batch", batch, "--set", "gamma=1e400"],
  ["credit", "--algorithm", "grpo", "--batch", batch, "--set", "=1"],
  ["credit", "--algorithm", "grpo", "--batch", batch, "--normalise", "1,2,3"],
  ["credit", "--algorithm", "turn-ppo", "--batch", batch, "--normalise", "0,0"],
  ["credit", "--algorithm", "turn-ppo", "--batch", "numbers.json"],
  ["credit", "--algorithm", "grpo", "--batch", "types.json"],
  ["credit", "--algorithm", "grpo", "--batch", "proto.json"],
  ["objective", "--algorithm", "tdpo1", "--batch", batch],
  ["objective", "--algorithm", "dpo", "--batch", pairs, "--set", "beta=-1"],
  ["compare", "--batch", batch, "--algorithms", "grpo,grpo"],
  ["compare", "--batch", batch, "--algorithms", "grpo,"],
  ["compare", "--batch", batch, "--algorithms", "dpo"],
  ["doctor"],
  ["doctor", "--run", batch],
  ["doctor", "--run", "a.json"],
  ["doctor", "--run", "unmeasured.jsonl"],
  ["spec"],
  ["spec", "nano", "nano"],
  ["spec", "nope"],
  ["presets", "nano"],
  ["logits", "--model", MODEL],
  ["logits", "--model", "folder", "--ids", "1"],
  ["logits", "--model", MODEL, "--ids", "1,,2"],
  ["logits", "--model", MODEL, "--ids", "1,999999999"],
  ["logits", "--model", MODEL, "--ids", "1,2", "--grad", "a.json"],
  ["logits", "--model", "cut", "--ids", "1,2"],
  ["logits", "--model", "deep", "--ids", "1,2"],
  ["export"],
  ["export", "verl", "nano", "--out", "b"],
  ["export", "ragen", "nano"],
  ["export", "ragen", "nano", "--out", "shop"],
  ["export", "ragen", "nano", "--out", level],
  ["export", "ragen", "nano", "--out", `${level}/inside`],
  ["train"],
  ["train", "nope"],
  ["train", "nano", "nano"],
  ["train", log],
  ["train", batch],
  ["train", "proto.json"],
  ["train", "comma.json"],
  ["train", "types.json"],
  ["train", "huge.json"],
  ["train", "nano", "--iterations", HUGE],
  ["train", "nano", "--keep-every", "1"],
  ["train", "nano", "--engine", "wasm", "--backend", "cpu"],
  ["train", "nano", "--out", level],
  ["clone", "nano"],
  ["oracle"],
  ["oracle", "--run", "folder"],
  ["oracle", "--run", "folder", "--iteration", "1"],
  ["oracle", "--run", "nowhere", "--iteration", "1"],
];

/** Odd, but right. */
const GOOD: CommandCase[] = [
  ["--help"],
  ["help", "train"],
  ["-h"],
  ["credit", "--algorithm=grpo", `--batch=${strange}`],
  ["doctor", "--run", "verl.jsonl"],
  ["play", "sokoban", "--level", level, "--actions", "/dev/null"],
  ["play", "sokoban", "--level", level, "--actions", "thoughts.txt", "--think", "on"],
  ["play", "gem", "--env", "FrozenLake-v0", "--actions", "thoughts.txt"],
  ["play", "webshop", "--goal", "0", "--actions", "thoughts.txt"],
  ["play", "sokoban", "--seed", "1", "--max-turns", HUGE, "--actions", actions],
  ["play", "sokoban", "--seed=1", "--format-penalty", "-1e308"],
  ["search", "webshop", "--query", "x".repeat(120_000)],
  ["search", "webshop", "--query", " ".repeat(120_000)],
  ["search", "webshop", "--query", "shirt", "--page", HUGE],
  ["search", "webshop", "--query", "\u0000\ud800 名 [x]\n"],
  ["export", "ragen", "bom.json", "--out", "bundle of\na bom"],
].map((argv) => ({ argv, code: 0 }));
