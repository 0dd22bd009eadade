/** What a panel's cursor and settings make of its cell's text. */
import { expect, it } from "vitest";
import { withPlace } from "../../src/notebook/cells/panel.ts";

it("writes the cursor and the settings down, and leaves the rest as it is", () => {
  const body = "panel: clip # which\nat: turn-ppo,3,1,2\nsettings: {scale: log}\ncaption: Look.";
  expect(withPlace(body, { at: "turn-ppo,3,1,2", settings: { scale: "log" } })).toBe(body);
  const moved = withPlace(body, { at: "grpo,4,1,2,7", settings: { step: "clip" } });
  expect(moved).toBe(
    "panel: clip # which\nat: grpo,4,1,2,7\nsettings: {step: clip}\ncaption: Look.",
  );
  expect(withPlace(moved, { at: "", settings: {} })).toBe("panel: clip # which\ncaption: Look.");
  expect(withPlace("", { at: "grpo,4,1,2", settings: {} })).toBe("at: grpo,4,1,2");
});
