import { expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";

async function run(...argv: string[]) {
  const json: { command: string; about: string }[] = [];
  const lines: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(value as { command: string; about: string }),
    progress: (line: string) => void lines.push(line),
  };
  return { code: await main(argv, out), json, lines };
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
