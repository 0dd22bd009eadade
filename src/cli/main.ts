/** The command line: finds the command, prints its JSON, and reports bad input as one line and exit code 2. */
import { InputError, show } from "../numeric/inputError.ts";
import type { Command, Output } from "./command.ts";
import { endOnUncaught, sayFailure } from "./failure.ts";
import { usageOf } from "./usage.ts";

/** A line for `help`, and the command, loaded on call, so that `play` does not wait for a tensor library. */
interface CommandEntry {
  about: string;
  load: () => Promise<Command>;
}

const commands: Record<string, CommandEntry> = {
  play: {
    about: "plays one episode from a file of responses, or by a preset's policy",
    load: async () => (await import("./play.ts")).playCommand,
  },
  tokens: {
    about: "every token of an episode of a preset: id, piece, turn, and whether it is trained",
    load: async () => (await import("./spoken.ts")).tokensCommand,
  },
  solve: {
    about: "the shortest solution of a level",
    load: async () => (await import("./solve.ts")).solveCommand,
  },
  reward: {
    about: "the reward of one purchase in the shop, term by term",
    load: async () => (await import("./reward.ts")).rewardCommand,
  },
  search: {
    about: "the results of a search in the shop",
    load: async () => (await import("./search.ts")).searchCommand,
  },
  baselines: {
    about: "scores of scripted policies and of a preset's starting weights",
    load: async () => (await import("./baselines.ts")).baselinesCommand,
  },
  algorithms: {
    about: "the table of algorithms, or one algorithm in full",
    load: async () => (await import("./algorithms.ts")).algorithmsCommand,
  },
  credit: {
    about: "an algorithm's advantages and returns on a batch file",
    load: async () => (await import("./credit.ts")).creditCommand,
  },
  objective: {
    about: "an algorithm's or a pair method's loss and gradient on a batch file",
    load: async () => (await import("./credit.ts")).objectiveCommand,
  },
  compare: {
    about: "compares algorithms on one batch file or iteration of rollouts",
    load: async () => (await import("./compare.ts")).compareCommand,
  },
  oracle: {
    about: "true values of a saved run's turns, and the error of each algorithm's credit",
    load: async () => (await import("./oracle.ts")).oracleCommand,
  },
  referee: {
    about:
      "scores every row's credit, or an own method's, on tasks whose true advantage is known exactly",
    load: async () => (await import("./referee.ts")).refereeCommand,
  },
  gradient: {
    about: "how close each algorithm's gradient is to the true policy gradient, by batch size",
    load: async () => (await import("./gradient.ts")).gradientCommand,
  },
  logits: {
    about: "a model folder's logits for one token row",
    load: async () => (await import("./logits.ts")).logitsCommand,
  },
  clone: {
    about: "makes a warm-start checkpoint by cloning an expert",
    load: async () => (await import("./clone.ts")).cloneCommand,
  },
  tokenizer: {
    about: "learns the tokenizer of the models that speak and writes it as a Hugging Face folder",
    load: async () => (await import("./tokenizer.ts")).tokenizerCommand,
  },
  train: {
    about:
      "trains a spec: prints one event per line, then the fingerprint; --out saves the run and resumes it",
    load: async () => (await import("./train.ts")).trainCommand,
  },
  record: {
    about:
      "makes recordings for the page: packs a run into columns with weights and true values, or seeds into a band",
    load: async () => (await import("./record/record.ts")).recordCommand,
  },
  sweep: {
    about: "trains many specs and seeds in parallel, resumably, and summarises them with intervals",
    load: async () => (await import("./sweep/sweep.ts")).sweepCommand,
  },
  study: {
    about:
      "compares an own method or a row with others: an equal search, sealed levels, one verdict (new, run, show)",
    load: async () => (await import("./study/study.ts")).studyCommand,
  },
  notebook: {
    about:
      "checks notebooks line by line (--run: fingerprints too), runs, formats or begins one, writes its badge",
    load: async () => (await import("./notebook.ts")).notebookCommand,
  },
  doctor: {
    about: "the collapse doctor's findings on a run",
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
  import: {
    about:
      "reads rollouts of any known trainer, as files or folders, into one file of turnbook-rollouts/1",
    load: async () => (await import("./import.ts")).importCommand,
  },
  watch: {
    about:
      "serves the page with a folder of rollouts, on this machine alone, and follows it as it grows",
    load: async () => (await import("./watch.ts")).watchCommand,
  },
  explain: {
    about: "what each method of a run did, since when, the likeliest causes, and how to check them",
    load: async () => (await import("./explain.ts")).explainCommand,
  },
  verify: {
    about:
      "checks that a run, recording, checkpoint or model folder is unaltered; exit code 1 if it is not",
    load: async () => (await import("./verify.ts")).verifyCommand,
  },
  export: {
    about:
      "exports a spec as configuration files for RAGEN and verl, or the models of a run as Hugging Face folders",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  spec: {
    about: "the full spec of a preset",
    load: async () => (await import("./presets.ts")).specCommand,
  },
  presets: {
    about: "the presets, one per line",
    load: async () => (await import("./presets.ts")).presetsCommand,
  },
};

const HELP_OPTIONS = ["--help", "-h"];
/** Arguments that print the list of commands. */
const HELP = ["help", ...HELP_OPTIONS];

const processOutput: Output = {
  json: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
  text: (line) => void process.stdout.write(`${line}\n`),
  progress: (line) => void process.stderr.write(`${line}\n`),
};

/** Runs one command line; returns the exit code: 0, 1 if the machine or Turnbook failed, 2 after bad input. */
export async function main(argv: string[], out: Output = processOutput): Promise<number> {
  const say = (line: string) => out.progress(line);
  if (out === processOutput) endOnUncaught(say);
  try {
    const [name, ...rest] = argv;
    if (name !== undefined && HELP.includes(name)) return await listCommands(rest, out);
    const entry = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!entry) {
      const names = Object.keys(commands).join(", ");
      throw new InputError(
        name === undefined
          ? `no command; commands: ${names}`
          : `unknown command ${show(name)}; commands: ${names}`,
      );
    }
    if (rest.some((word) => HELP_OPTIONS.includes(word))) return await sayUsage(name!, out);
    const command = await entry.load();
    return (await command(rest, out)) ?? 0;
  } catch (error) {
    return sayFailure(error, say);
  }
}

/** `NAME --help`: its calls with their options, and what each does. */
async function sayUsage(name: string, out: Output): Promise<number> {
  const say = out.text ?? out.json;
  for (const { calls, does } of await usageOf(name)) {
    for (const call of calls) say(`turnbook ${call}`);
    say(`  ${does}\n`);
  }
  return 0;
}

/** `help`: each command with a description, one per line; `help NAME`: that one, with its calls. */
async function listCommands(asked: string[], out: Output): Promise<number> {
  const unknown = asked.find((name) => !Object.hasOwn(commands, name));
  if (unknown !== undefined)
    throw new InputError(
      `help: unknown command ${show(unknown)}; commands: ${Object.keys(commands).join(", ")}`,
    );
  for (const [command, { about }] of Object.entries(commands))
    if (asked.length === 0 || asked.includes(command)) out.json({ command, about });
  for (const name of asked) await sayUsage(name, out);
  return 0;
}
