/**
 * What a file is that cannot be read as text, and how to convert it with the program that wrote it.
 */

/** Why, and what to do. */
export type Advice = readonly [why: string, action: string];

/** The name without its last extension. */
function stem(name: string): string {
  return name.replace(/\.[^./\\]*$/, "");
}

function last(name: string): string {
  return name.split(/[\\/]/).at(-1)!;
}

function unpacked(program: string, command: string): (path: string) => Advice {
  return (path) => [
    `This file is compressed with ${program}.`,
    `In a terminal, ${command} ${last(path)} makes ${stem(last(path))}; choose that.`,
  ];
}

const FIELDS =
  "Lines with input, output, score and step, and a uid that the rollouts of a task share, are read.";

/** By kind of file; each is a function of its path. */
export const advice = {
  xz: unpacked("xz", "unxz -k"),
  bzip2: unpacked("bzip2", "bunzip2 -k"),
  torch: (): Advice => [
    "This is a file of torch.save: weights, or tensors of a batch, which cannot be read here.",
    `In Python, torch.load(path, weights_only=True) opens it, and json.dumps can write its episodes as lines. ${FIELDS}`,
  ],
  numpy: (): Advice => [
    "This is a file of NumPy, which cannot be read here.",
    `In Python, numpy.load opens it, and json.dumps can write its episodes as lines. ${FIELDS}`,
  ],
  arrow: (): Advice => [
    "This is an Arrow file, as Hugging Face’s datasets keeps them, which cannot be read here.",
    `In Python, datasets.Dataset.from_file(path).to_json(path + '.jsonl') makes JSON lines of it. ${FIELDS}`,
  ],
  sqlite: (): Advice => [
    "This is a database of SQLite, which cannot be read here.",
    `Its rows can be written as JSON lines, with sqlite3 -json. ${FIELDS}`,
  ],
} as const;

export type UnreadKind = keyof typeof advice;
