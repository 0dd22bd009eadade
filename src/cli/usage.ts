/** What `help COMMAND` and `COMMAND --help` print: the command's rows in the table of the README. */
import { commandsReadme } from "./assets.ts";

/** A row of the table: its calls, such as `train SPEC [--seed N]`, and what they do. */
interface Usage {
  calls: string[];
  does: string;
}

/** The rows of a command, in the README's order. */
export async function usageOf(command: string): Promise<Usage[]> {
  const rows = (await commandsReadme()).split("\n").filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) => {
    // A bar within a cell is written with a backslash.
    const [, calls, does] = row.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
    const names = [...calls!.matchAll(/`([a-z]+)/g)].map(([, name]) => name);
    if (!names.includes(command)) return [];
    const plain = (text: string) => text.replaceAll("`", "");
    return [{ calls: calls!.split("`, `").map(plain), does: plain(does!) }];
  });
}
