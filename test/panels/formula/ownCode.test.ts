// @vitest-environment happy-dom
/** The formula panel over a run with the reader's own ratio and clip rule, whose code answers after the panel is drawn. */
import { expect, it } from "vitest";
import { answerEstimates } from "../../../src/reading/credit/estimates.ts";
import { definedHost, example, lakeSpec, trained } from "../../definitions/examples.ts";
import { panelInDom, usesPanels } from "../inDom.tsx";

usesPanels();

it("shows the code's numbers once it has answered", async () => {
  const name = "turn-ppo@ratio-root@clip-spo";
  const definitions = ["root", "spo"].map(example);
  const spec = lakeSpec({ definitions, algorithms: [{ name, set: {} }], recordEpisodes: 4 });
  const { events } = await trained(spec);
  const codes = await (await definedHost()).openDefinitions!(definitions);
  const functions: Record<string, string> = { root: "ratio", spo: "clip" };
  answerEstimates(async (definition, input) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return codes.get(definition).call(functions[definition.name]!, input);
  });
  const text = events.map((event) => JSON.stringify(event)).join("\n");
  const { panel } = await panelInDom("formula", text, `${name},3,1,1`, spec);
  await expect.poll(() => panel.textContent).toContain("root is being computed.");
  await expect.poll(() => panel.textContent).toContain("your code");
  expect(panel.textContent).not.toContain("is being computed");
  answerEstimates(null);
});
