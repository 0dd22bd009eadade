/** What trainers' files give before and now: rows of the table, and checks of the doctor. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { importCommand } from "../../src/cli/import.ts";
import { doctorCommand } from "../../src/cli/doctor.ts";
import type { Command } from "../../src/cli/command.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";

export async function main(zip: string, folder?: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "turnbook-trainers-"));
  try {
    await table(folder ?? unpackedIn(zip, join(work, "runs")), work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function unpackedIn(zip: string, folder: string): string {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(zip)))) {
    if (name.endsWith("/")) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return folder;
}

async function table(folder: string, work: string): Promise<void> {
  const out = join(work, "rollouts.jsonl");
  const writers = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());
  console.log("| folder | writer | rows | with the score paid last | checks |");
  console.log("|---|---|---|---|---|");
  for (const name of writers.toSorted()) {
    const path = join(folder, name);
    const read = await said(importCommand, path, "--out", out, "--force");
    if (typeof read === "string") {
      console.log(`| ${name} | ${read} | | | |`);
      continue;
    }
    const { writer, rows, rowsIfPaidLast = [] } = read as Imported;
    const counts = [rows.length, rows.length + rowsIfPaidLast.length].map(ofAll).join(" | ");
    console.log(`| ${name} | ${writer} | ${counts} | ${await checksOf(path)} |`);
  }
}

interface Imported {
  writer: string;
  rows: string[];
  rowsIfPaidLast?: string[];
}

const ofAll = (count: number) => `${count} of ${algorithmNames.length}`;

async function checksOf(path: string): Promise<string> {
  const found = await said(doctorCommand, "--run", path);
  if (typeof found === "string") return "refused";
  const { made, of } = (found as { checks: { made: number; of: number } }).checks;
  return `${made} of ${of}`;
}

/** What a command prints, or why it refuses. */
async function said(command: Command, ...argv: string[]): Promise<object | string> {
  let json: object = {};
  try {
    await command(argv, { json: (value) => void (json = value as object), progress: () => {} });
    return json;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}
