/** The files that the command lines of this area read. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES } from "./commandCases.ts";

const token = { logprob: -1, oldLogprob: -1.1, refLogprob: -1.2, value: 0.1, newValue: 0.1 };
const turn = {
  reward: 1,
  value: 0.2,
  newValue: 0.2,
  anchor: "s",
  gain: 0.1,
  tokens: [token, token],
};
const trajectory = (task: string, reward: number) => ({
  task,
  greedyScore: 0.5,
  turns: [turn, { ...turn, reward }],
});
const batch = { trajectories: [trajectory("a", 1), trajectory("a", -1), trajectory("b", 0.5)] };
const bare = { name: "red shirt", query: "shirt", product_category: "Clothing › Shirts" };
const purchase = {
  product: { ...bare, Title: "Red shirt", Description: "", BulletPoints: [], Attributes: ["red"] },
  goal: { ...bare, attributes: ["red"], price_upper: 50, goal_options: { color: "red" } },
  price: 20,
  chosen_options: { color: "red" },
};
const iteration = {
  type: "iteration",
  algorithm: "a",
  iteration: 1,
  metrics: { "actor/entropy": 1 },
};
const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;

/** Under the names of `FILES`, and some more. `root`: the repository. */
export function writeFiles(folder: string, root: string): void {
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(folder, name), content);
  const json = (name: string, value: unknown) => write(name, JSON.stringify(value));
  write(FILES.level, "#####\n#@$.#\n#####\n");
  write(FILES.actions, "Right\nUp || Down\nsearch[shirt]\n");
  json(FILES.batch, batch);
  json(FILES.pairs, batch);
  json(FILES.strange, batch);
  json(FILES.case, purchase);
  write(FILES.log, `${JSON.stringify(iteration)}\n`);
  json(FILES.spec, { preset: "nano", optimisation: { iterations: 1 } });
  mkdirSync(join(folder, "folder"));
  mkdirSync(join(folder, "shop"));
  write("shop/items_shuffle_1000.json", nested);
  write("shop/items_ins_v2_1000.json", "{}");
  write("empty", "");
  write(
    "bytes",
    Uint8Array.from({ length: 100_000 }, (_, i) => (i * 131 + (i >> 7)) % 256),
  );
  write("deep.json", nested);
  write("utf16.json", Buffer.from("\ufeff{}", "utf16le"));
  write("bom.json", '\ufeff{\r\n"preset": "nano"\r\n}\r\n');
  write("comma.json", '{"preset": "nano",}');
  json("a.json", { a: 1 });
  json("labels.json", { labels: [-100, 1, 2] });
  write("unmeasured.jsonl", '{"type":"iteration","algorithm":"a","iteration":1}\n');
  json("types.json", { preset: 3, trajectories: [{ turns: "many" }], optimisation: [] });
  json("huge.json", { optimisation: { iterations: 1e300 }, seed: -1 });
  write("numbers.json", '{"trajectories":[{"turns":[{"reward":1e400,"tokens":[{}]}]}]}');
  write("proto.json", '{"__proto__":{"preset":"nano"},"constructor":{"prototype":{"x":1}}}');
  write("verl.jsonl", '{"input":"q","output":"a","score":1,"step":1}\n');
  write("thoughts.txt", `${"<think></think><answer>".repeat(10_500)}\n${"<think>".repeat(34_000)}`);
  models(folder, root);
}

function models(folder: string, root: string): void {
  const golden = join(root, "test", "golden", "model", "qwen2_tied_f32");
  for (const name of ["model", "cut", "deep"])
    cpSync(golden, join(folder, name), { recursive: true });
  writeFileSync(join(folder, "cut", "model.safetensors"), new Uint8Array(7));
  writeFileSync(join(folder, "deep", "config.json"), nested);
}
