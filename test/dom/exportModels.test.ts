// @vitest-environment happy-dom
/** The models of a run as Hugging Face folders in one zip: what transformers reads, and what is trained on. */
import { unzipSync } from "fflate";
import { expect, it, vi } from "vitest";
import { loadModelFolder } from "../../src/model/folder.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

const LINK =
  "#v1/nano?backend=wasm&iterations=1&algorithms=grpo,turn-ppo&environment.maxTurns=2" +
  "&optimisation.tasksPerIteration=1&optimisation.groupSize=2&optimisation.minibatch=2&optimisation.epochs=1" +
  "&critic.epochs=1&critic.warmup=0&evaluation.levels=0";

it("saves them once a run has a checkpoint, and not before", async () => {
  const blobs: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((one) => `blob:${blobs.push(one as Blob)}`);
  const { page, errors, close } = await openApp(LINK, { worker: "real" });
  await by(page, "save-run").waitFor();
  expect(await by(page, "save-models").count()).toBe(0);
  await by(page, "run").click();
  await expect.poll(() => page.locator("[data-run-state=finished]").count()).toBe(1);
  await by(page, "save-models").click();
  await page.getByText("nano-seed-1.models.zip").first().waitFor();
  const files = unzipSync(new Uint8Array(await blobs.at(-1)!.arrayBuffer()));
  expect(Object.keys(files)).toEqual(
    ["grpo", "turn-ppo"].flatMap((name) =>
      ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]
        .concat("turnbook.json", "SHA256SUMS")
        .map((file) => `${name}/${file}`),
    ),
  );
  const { config } = await loadModelFolder((name) => Promise.resolve(files[`grpo/${name}`]!));
  expect(config.layers).toBe(2);
  expect(errors).toEqual([]);
  await close();
  vi.restoreAllMocks();
});
