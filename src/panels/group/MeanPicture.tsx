/** A rollout's reward on the group's axis: a dot, the mean as a line, one std as a band. */
import { greatest, least } from "../../numeric/lists.ts";
import type { Group, Outcome } from "../../reading/groups.ts";

const WIDTH = 90;
const HEIGHT = 20;
const PAD = 7;

export interface PictureScale {
  x: (reward: number) => number;
  mean: number;
  /** NaN for a single rollout. */
  std: number;
}

/** The same for all rows: from the least to the most of rewards and band. */
export function pictureScale({ rollouts, mean, std }: Group): PictureScale {
  const spread = Number.isNaN(std) ? 0 : std;
  const rewards = rollouts.map(({ record }) => record.reward);
  const low = least([mean - spread, ...rewards]);
  const span = greatest([mean + spread, ...rewards]) - low;
  const unit = span === 0 ? 0 : (WIDTH - 2 * PAD) / span;
  return { x: (reward) => (span === 0 ? WIDTH / 2 : PAD + (reward - low) * unit), mean, std };
}

interface MeanPictureProps {
  scale: PictureScale;
  reward: number;
  outcome: Outcome;
}

export function MeanPicture({ scale: { x, mean, std }, reward, outcome }: MeanPictureProps) {
  const half = Number.isNaN(std) ? 0 : std;
  const [left, right] = [x(mean - half), x(mean + half)];
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" className="group-picture">
      <rect x={left} width={Math.max(0, right - left)} height={HEIGHT} className="group-band" />
      <line x1={x(mean)} x2={x(mean)} y2={HEIGHT} className="group-mean" />
      <circle cx={x(reward)} cy={HEIGHT / 2} r={5} className={`group-${outcome}`} />
    </svg>
  );
}
