import { expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";

async function run(...argv: string[]) {
  const json: { command: string; about: string }[] = [];
  const [lines, text]: [string[], string[]] = [[], []];
  const out = {
    json: (value: unknown) => void json.push(value as { command: string; about: string }),
    text: (line: string) => void text.push(line),
    progress: (line: string) => void lines.push(line),
  };
  return { code: await main(argv, out), json, lines, text };
}

it.each(["help", "--help", "-h"])("%s lists the commands, those that exist", async (word) => {
  const { code, json, lines } = await run(word);
  expect([code, lines]).toEqual([0, []]);
  const unknown = await run("magic");
  expect(unknown.code).toBe(2);
  const names = json.map(({ command }) => command).join(", ");
  expect(unknown.lines).toEqual([`unknown command "magic"; commands: ${names}`]);
  expect(json.filter(({ about }) => about.length < 10)).toEqual([]);
});

it("help of a command is its line; of anything else it is refused", async () => {
  expect((await run("help", "train")).json.map(({ command }) => command)).toEqual(["train"]);
  expect(await run("help", "--x")).toMatchObject({
    code: 2,
    json: [],
    lines: [expect.stringContaining('"--x"')],
  });
});

const COMMANDS = (await run("help")).json.map(({ command }) => command);
/** Ways to call a command whose options differ. */
const CALLS = [
  ...COMMANDS,
  ...["play sokoban", "play webshop", "play gem", "reward webshop", "search webshop"],
  ...["solve sokoban", "baselines webshop", "study new", "study run", "study show"],
  ...["notebook check", "notebook run", "notebook badge"],
  ...["train", "pack", "truths", "seeds", "opening", "shopper"].map((what) => `record ${what}`),
  ...["export ragen nano", "export huggingface", "export python"],
];

it.each(CALLS)("%s --help lists every option that it takes", async (call) => {
  const [command, ...words] = call.split(" ");
  const { code, text, lines } = await run(command!, ...words, "--help");
  expect([code, lines]).toEqual([0, []]);
  expect(text).toContainEqual(expect.stringMatching(`^turnbook ${command}\\b`));
  const refused = (await run(command!, ...words, "--no-such-option")).lines.join("");
  const allowed = /unknown option --no-such-option; allowed: (.*)/.exec(refused)?.[1] ?? "none";
  const options = allowed === "none" ? [] : allowed.split(", ");
  expect(options.filter((option) => !text.join(" ").includes(option))).toEqual([]);
});
