/** `algorithms`: every row with its axes and defaults, one per line. `algorithms NAME [--set KEY=VALUE]...`: one row in full. */
import { algorithmDoc, outsideNames, rowTexts } from "../spec/algorithmDocs/docs.ts";
import { usedSettings } from "../spec/algorithmDocs/settingUse.ts";
import { rows, type AlgorithmRow } from "../spec/algorithmRows.ts";
import { resolveAlgorithm } from "../spec/algorithms.ts";
import { rowAxes } from "../method/rowAxes.ts";
import { InputError } from "../numeric/inputError.ts";
import { parseArgs } from "./args.ts";
import { overrides } from "./credit.ts";
import type { Command } from "./command.ts";

export const algorithmsCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { set: { type: "string", repeat: true } });
  const [name, ...more] = args.words;
  if (more.length > 0) throw new InputError(`algorithms takes one name, not ${args.words.length}`);
  const set = overrides(args.list("set"));
  if (name !== undefined) {
    out.json(wholeRow(name, set));
    return;
  }
  if (Object.keys(set).length > 0) throw new InputError("--set needs the name of an algorithm");
  for (const row of rows) out.json(inShort(row));
};

/** Its source, its choices, its defaults, and what it needs. */
function inShort(row: AlgorithmRow) {
  const { name, title, arxiv, about, defaults } = row;
  const { source, uncertain } = rowTexts[name]!;
  const { critic, grouped } = resolveAlgorithm(name);
  const axes = Object.fromEntries(
    Object.keys(rowAxes).map((axis) => [axis, row[axis as keyof typeof rowAxes]]),
  );
  const open = uncertain === undefined ? {} : { uncertain };
  return { name, title, arxiv, source, about, ...open, axes, critic, grouped, defaults };
}

/**
 * With its text and its formulas under these settings; a method outside the table has no settings
 * to replace.
 */
function wholeRow(name: string, set: Record<string, string>) {
  const doc = algorithmDoc(name, set);
  const { text: paragraphs, formulas, terms } = doc;
  const row = rows.find((candidate) => candidate.name === name);
  if (row) {
    const config = resolveAlgorithm(name, set);
    const settings = Object.fromEntries(usedSettings(config).map((key) => [key, config[key]]));
    // Both are in its line already.
    const { source: _, uncertain: __, ...text } = paragraphs;
    return { ...inShort(row), settings, text, formulas, terms };
  }
  if (outsideNames.includes(name) && Object.keys(set).length > 0)
    throw new InputError(
      `--set: ${name} is not in the table of algorithms, so it has no settings here`,
    );
  return doc;
}
