import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { generatedShop } from "../../src/reading/shop/generatedShop.ts";
import { replayOf } from "../../src/reading/shop/replay.ts";
import { readShopper, shopperOf } from "../../src/reading/shop/shopper.ts";
import { presetSpec } from "../../src/spec/presets.ts";

const file = join(import.meta.dirname, "..", "..", "public", "figures", "shopper.json");
const shopper = readShopper(readFileSync(file, "utf8"));

describe("the trained shopper beside the page", () => {
  const { catalogSeed, goal, maxTurns, episodes } = shopper;

  it.each(episodes.map((episode, i) => [i + 1, episode] as const))(
    "earns in attempt %i what its run recorded",
    (_, { texts, reward }) => {
      const setup = { goal, seed: goal, showAttributes: false, maxTurns };
      const { frames, leftOut } = replayOf({ catalogue: generatedShop(catalogSeed), setup, texts });
      const { page } = frames.at(-1)!.stand;
      expect(page.kind === "done" ? page.reward.reward : 0).toBeCloseTo(reward, 9);
      expect(leftOut).toBe(0);
    },
  );

  it("names its weights and the commands that made it", () => {
    expect(shopper.weights.method).toBe("Turn-PPO");
    expect(shopper.weights.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(shopper.command).toMatch(/train .*shopper\.json.*record shopper/);
  });

  it("is not made of another environment's run", () => {
    const log = new RunLog();
    const spec = presetSpec("nano");
    const engine = { engine: "wasm", backend: "wasm", reproducible: "everywhere" } as const;
    log.append({ type: "start", format: 1, version: "0", spec, engine, chain: "" } as never);
    expect(() => shopperOf(log, "")).toThrow("not of the shop");
  });

  it.each(["", "{}", '{"format":"turnbook-opening-1"}'])("refuses the file %s", (text) => {
    expect(() => readShopper(text)).toThrow();
  });
});
