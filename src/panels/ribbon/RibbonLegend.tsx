/** The marks of the ribbon's chart with their words. */
import type { ReactNode } from "react";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { lineNames } from "./describe.ts";
import { criticStyle } from "./RibbonChart.tsx";
import type { RibbonView } from "./ribbonView.ts";
import { words } from "./words.ts";

export function RibbonLegend({ view }: { view: RibbonView }) {
  const { critic, truth, hasTargets, foreign } = view;
  const { marks } = words;
  const names = lineNames(view);
  const style = criticStyle(critic?.name);
  return (
    <ul className="ribbon-legend" aria-label={words.legend} data-testid="ribbon-legend">
      {critic && (
        <Mark name={names.value}>
          <path d="M0,8H28" stroke={style.colour} className="ribbon-value" />
          <MarkerShape {...style} cx={14} cy={8} />
        </Mark>
      )}
      {truth ? (
        <Mark name={names.truth}>
          <path d="M0,8H28" className="ribbon-truth-line" />
          <g className="ribbon-truth" transform="translate(14 0)">
            <path d="M0,1V15M-4,1H4M-4,15H4" />
            <MarkerShape marker="diamond" cx={0} cy={8} colour="var(--ink)" />
          </g>
        </Mark>
      ) : (
        <>
          <Mark name={foreign && !hasTargets ? marks.returnComputed : marks.return}>
            <path d="M0,8H28" className="ribbon-return" />
            <path d="M14,3l5,5l-5,5l-5,-5z" className="ribbon-came" />
          </Mark>
          <Mark name={marks.reward}>
            <rect x={8} width={11} height={16} className="ribbon-reward" />
          </Mark>
        </>
      )}
      {critic && (
        <Mark name={marks.delta}>
          <rect x={2} width={11} height={10} className="ribbon-delta-plus" />
          <rect x={16} y={6} width={11} height={10} className="ribbon-delta-minus" />
        </Mark>
      )}
    </ul>
  );
}

function Mark({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li>
      <svg width="28" height="16" aria-hidden="true">
        {children}
      </svg>
      {name}
    </li>
  );
}
