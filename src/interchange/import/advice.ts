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

const ANY_PARQUET =
  "pandas.read_parquet(path).to_json(path + '.jsonl', orient='records', lines=True) makes JSON lines of it, in Python.";
const FIELDS =
  "Lines with input, output, score and step, and a uid that the rollouts of a task share, are read.";

/** By kind of file; each is a function of its path. */
export const advice = {
  gzip: unpacked("gzip", "gunzip -k"),
  zstandard: unpacked("Zstandard", "zstd -d"),
  xz: unpacked("xz", "unxz -k"),
  bzip2: unpacked("bzip2", "bunzip2 -k"),
  zip: (path: string): Advice => [
    "This is a zip archive.",
    `In a terminal, unzip ${last(path)} unpacks it; choose the files that were in it.`,
  ],
  inspect: (): Advice => [
    "This is a log of Inspect, which cannot be read here.",
    `inspect log dump writes it as JSON, from whose samples a script can write lines. ${FIELDS}`,
  ],
  verlGenerations: (): Advice => [
    "This is a Parquet file of verl’s generations (main_generation), which cannot be read as it is.",
    ANY_PARQUET,
  ],
  verlPrompts: (): Advice => [
    "This is a Parquet file of prompts: it has no episodes to show.",
    "verl writes its rollouts, with their scores, as JSON lines into the folder trainer.rollout_data_dir.",
  ],
  trlCompletions: (path: string): Advice => [
    "This is a Parquet file of TRL’s completions, which cannot be read as it is.",
    "This makes JSON lines that can be read, with the sum of the reward columns as score: " +
      `python3 -c "import pandas; d = pandas.read_parquet('${last(path)}'); c = list(d); ` +
      "d['score'] = d[c[c.index('completion') + 1:c.index('advantage')]].sum(axis=1); " +
      "d.rename(columns={'prompt': 'input', 'completion': 'output'})" +
      `.to_json('${stem(last(path))}.jsonl', orient='records', lines=True)"`,
  ],
  parquet: (): Advice => [
    "This is a Parquet file, which cannot be read here.",
    `${ANY_PARQUET} ${FIELDS}`,
  ],
  ragenPickle: (path: string): Advice => [
    "This is a Python pickle of verl or RAGEN (DataProto). Opening one would run its code, so this page does not.",
    "In RAGEN's environment this writes what can be read here: " +
      `python -c "import json; from verl import DataProto; d = DataProto.load_from_disk('${last(path)}'); ` +
      "json.dump([{**i.non_tensor_batch, 'score': i.batch['rm_scores'].sum().item()} for i in d], " +
      "open('rollouts.json', 'w'), default=lambda o: o.tolist() if hasattr(o, 'tolist') else str(o))\"",
  ],
  skyrlPickle: (): Advice => [
    "This is a training batch of SkyRL, a Python pickle of numbers without text. Opening one would run its code, so this page does not.",
    "SkyRL’s evaluations (dumped_evals) have the text. This makes lines of one that can be read: " +
      "python3 -c \"import json; [print(json.dumps({'input': r['input_prompt'], 'output': r['output_response'], " +
      "'score': sum(r['score']) if isinstance(r['score'], list) else r['score'], 'step': 1})) " +
      "for r in map(json.loads, open('eval.jsonl'))]\" > 1.jsonl",
  ],
  pickle: (): Advice => [
    "This is a Python pickle. Opening one would run its code, so this page does not.",
    `In the program that wrote it, json.dumps can write its episodes as lines. ${FIELDS}`,
  ],
  slimeRollout: (path: string): Advice => [
    "This is a file of torch.save, by its name a rollout of slime, which cannot be read as it is.",
    "This makes lines of it that can be read: " +
      `python3 -c "import json, torch; d = torch.load('${last(path)}', weights_only=True); ` +
      "[print(json.dumps({'input': s['prompt'], 'output': s['response'], 'score': s['reward'], 'step': d['rollout_id'], " +
      `'uid': '%s_%s_0' % (s['group_index'], s['index'])})) for s in d['samples']]" > ${stem(last(path))}.jsonl`,
  ],
  slimeTraining: (): Advice => [
    "This is a file of torch.save, by its name slime’s training data: numbers by token without text.",
    "Choose slime’s rollout_N.pt instead: what it answers says how to make lines of that.",
  ],
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

export type BinaryKind = keyof typeof advice;
