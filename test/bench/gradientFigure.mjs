// `node test/bench/gradientFigure.mjs FILE.json ID=RESULT ...`: the page's gradient figure from results of
// `turnbook gradient`. ID=RESULT names a checkpoint of FIGURES and the result.json that was computed for it.
import { readFileSync, writeFileSync } from "node:fs";

const gradient = (iteration) =>
  `npm run -s turnbook -- gradient --run RUN --branches 8 --per-reference 16 --iteration ${iteration} --references 6 --out DIR`;
const train = (name, every) =>
  `npm run -s turnbook -- train test/bench/gradient/${name}.json --out RUN --keep-every ${every}`;

/** A checkpoint of the searched settings, before that iteration. */
const fair = (title, name, iteration) => ({
  title,
  commands: [train(name, 25), gradient(iteration)],
});

/** What is known of each checkpoint beside its numbers. */
const FIGURES = {
  start: {
    title: "Sokoban nano, start (critics warmed up)",
    commands: [train("nano", 1), gradient(3)],
  },
  "turn-ppo-25": fair("Sokoban nano, Turn-PPO after 25 iterations", "nano-fair", 26),
  "turn-ppo-100": fair("Sokoban nano, Turn-PPO after 100 iterations", "nano-fair", 101),
  "shop-start": fair("Shop, Turn-PPO after 2 iterations", "shop-fair", 3),
  "shop-25": fair("Shop, Turn-PPO after 25 iterations", "shop-fair", 26),
  "shop-100": fair("Shop, Turn-PPO after 100 iterations", "shop-fair", 101),
};

const round = (x) => (x === null || x === undefined ? null : Number(x.toPrecision(5)));
const triple = ({ value, low, high }) => [value, low, high].map(round);

function checkpointOf(id, result) {
  const { sizes, group, branches, n, machine, rows, results, reference } = result;
  const against = rows.find(({ name }) => name === "rloo") ?? rows[0];
  const { title, commands } = FIGURES[id];
  const withBlocks = commands.map((command, i) =>
    i === commands.length - 1 ? `${command} --blocks ${n.blocks}` : command,
  );
  return {
    ...{ id, title, commands: withBlocks, machine, group, branches, sizes, n },
    referenceNoise: triple(reference.noiseShare),
    against: against.title,
    rows: rows.map(({ name, title: of, ceiling }) => {
      const own = sizes.map((size) => results.find((r) => r.row === name && r.size === size));
      const compared = own[0].against !== null;
      return {
        ...{ name, title: of, ceiling },
        cosine: own.map(({ cosine }) => triple(cosine)),
        snr: own.map(({ snr }) => triple(snr)),
        limit: own.map(({ limit }) => triple(limit)),
        difference: compared ? own.map((one) => triple(one.against.cosine)) : null,
      };
    }),
  };
}

const [out, ...named] = process.argv.slice(2);
const checkpoints = named.map((word) => {
  const [id, file] = word.split("=");
  return checkpointOf(id, JSON.parse(readFileSync(file, "utf8")));
});
writeFileSync(out, `${JSON.stringify({ checkpoints })}\n`);
