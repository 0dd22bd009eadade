/** What a potential adds to the rewards of one recorded episode, turn by turn. */
import { formatBrief, formatSignedBrief } from "../../numeric/format.ts";
import { returnsToGo } from "../../method/credit/returnsToGo.ts";
import { turnShaping } from "../../method/credit/shaping.ts";
import { columnNames, handle, type Exploration } from "./exploration.ts";

/** Every return shifts by -eta Phi of its state, even if Phi is wrong. */
export const telescopeFigure: Exploration = {
  title: "What a potential adds",
  needs: ["rewards", "potentials"],
  handles: [
    handle("weight", "weight η", [0, 2, 0.25], 1),
    handle("error", "error in Φ before turn 2", [-5, 5, 1], 0),
    handle("gamma", "discount γ", [0.5, 1, 0.01], 1),
  ],
  show({ weight = 0, error = 0, gamma = 1 }, { rewards = [], potentials = [] }) {
    const turns = rewards.length;
    const known = rewards.map((_, h) => (potentials[h] ?? 0) + (h === 1 ? error : 0)); // [H]
    const shaping = turnShaping({
      potential: Float64Array.from(known, (x) => weight * x),
      finalPotential: Float64Array.of(0),
      turnStart: Int32Array.of(0, turns),
      gamma,
    }); // [H]
    const returnsOf = (reward: readonly number[]) =>
      Array.from(returnsToGo(Float64Array.from(reward), Int32Array.of(0, turns), gamma)); // [H]
    const plain = returnsOf(rewards);
    const shaped = returnsOf(rewards.map((r, h) => r + shaping[h]!));
    return {
      columns: columnNames("turn", turns),
      rows: [
        { name: "reward r", kind: "amount", values: rewards },
        { name: "potential Φ(s)", kind: "amount", values: known },
        { name: "shaping η F", kind: "credit", values: Array.from(shaping) },
        { name: "return from here", kind: "credit", values: plain },
        { name: "return, shaped", kind: "credit", values: shaped },
      ],
      says: `The return of turn 1 goes from ${formatBrief(plain[0]!)} to ${formatBrief(shaped[0]!)}: by ${formatSignedBrief(shaped[0]! - plain[0]!)}, which is −η Φ(s) of its state, whatever came after it.`,
    };
  },
};
