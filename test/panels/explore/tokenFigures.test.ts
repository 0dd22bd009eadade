/** The temperature's figure: probabilities as softmax has them, and samples that follow them. */
import { describe, expect, it } from "vitest";
import { temperatureFigure } from "../../../src/panels/explore/tokenFigures.ts";

/** Two named tokens with probabilities 2/3 and 1/6 at T = 1, and two others with 1/12 each. */
const data = { logits: [Math.log(8), Math.log(2), 0, 0], tokens: ["Up", "Down"] };
const shown = (temperature: number, draw = 1) =>
  temperatureFigure.show({ temperature, draw }, data);
const probabilities = (temperature: number) => shown(temperature).rows[0]!.values as number[];

describe("turning the temperature", () => {
  it("shows the softmax of the logits over T, the tokens without a name together", () => {
    expect(shown(1).columns).toEqual(["Up", "Down", "2 others"]);
    [8, 2, 2].forEach((x, i) => expect(probabilities(1)[i]).toBeCloseTo(x / 12, 12));
    // Halving T squares the odds: 64 to 4 to 1 to 1.
    [64, 4, 2].forEach((x, i) => expect(probabilities(0.5)[i]).toBeCloseTo(x / 70, 12));
    expect(probabilities(0.1)[0]).toBeGreaterThan(0.9999);
  });

  it("says the likeliest token and the entropy", () => {
    const entropy = -[8, 2, 1, 1].reduce((sum, x) => sum + (x / 12) * Math.log(x / 12), 0);
    expect(shown(1).says).toContain("likeliest token is Up, with 66.7");
    expect(shown(1).says).toContain(`${entropy.toFixed(2)} nats`);
    const others = { logits: [0, 1], tokens: ["Up"] };
    expect(temperatureFigure.show({}, others).says).toContain("is another one");
  });

  it("samples a hundred tokens near their probabilities, others with another draw", () => {
    const times = Array.from({ length: 20 }, (_, i) => shown(1, i + 1).rows[1]!.values as number[]);
    for (const row of times) expect(row.reduce((a, b) => a + b, 0)).toBe(100);
    const ofUp = times.map(([up]) => up!);
    expect(new Set(ofUp).size).toBeGreaterThan(3);
    expect(ofUp.reduce((a, b) => a + b, 0) / 2000).toBeCloseTo(8 / 12, 1);
  });
});
