/** The reader's own code in a step of the formula: its name, its source, and the way to its cell. */
import { findDefinition, type RowKind } from "../../spec/definitions.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { CodeSource } from "../../ui/CodeSource.tsx";
import { Folded } from "../../ui/Folded.tsx";
import type { StepId } from "./stepIds.ts";
import { words } from "./words.ts";

/** The step in which each kind of code works. */
const STEP_OF: Readonly<Record<RowKind, StepId>> = {
  filter: "rollout",
  estimator: "advantage",
  ratio: "ratio",
  clip: "clip",
  aggregation: "loss",
  regulariser: "loss",
};

const selectHome = ({ home }: ExperimentState) => home;
const selectDefinitions = ({ view }: ExperimentState) => view.log.start?.spec.definitions;

export function OwnCode({ id, own = {} }: { id: StepId; own: AlgorithmConfig["own"] | undefined }) {
  const home = useExperimentState(selectHome);
  const definitions = useExperimentState(selectDefinitions);
  const kinds = (Object.keys(own) as RowKind[]).filter((kind) => STEP_OF[kind] === id);
  return kinds.map((kind) => {
    const name = own[kind]!;
    const source = findDefinition(definitions, { kind, name })?.source;
    return (
      <Folded key={kind} title={words.own.code(kind, name)} testId={`own-code-${kind}`}>
        {source === undefined ? (
          <p className="note">{words.own.absent}</p>
        ) : (
          <CodeSource text={source} label={words.own.code(kind, name)} />
        )}
        {home !== null && (
          <p>
            <a href={home.replace(/[^/]*$/, name)}>{words.own.cell}</a>
          </p>
        )}
      </Folded>
    );
  });
}
