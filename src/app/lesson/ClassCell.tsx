/** The class experiment: each seat trains with a seed of its own and hands in a code; the teacher's page puts them together. */
import { useMemo } from "react";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { setupOf } from "../../reading/classroom/resultCode.ts";
import { pinned, type ClassSetup } from "../../reading/classroom/classResults.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { classroomOf } from "../../store/classroom.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { Folded } from "../../ui/Folded.tsx";
import { ClassCodes } from "./ClassCodes.tsx";
import { ClassSeat } from "./ClassSeat.tsx";
import { classWords as words } from "./words.ts";
import "./classroom.css";

const selectOwn = ({ own }: ExperimentState) => own;

export function ClassCell({ fields }: { fields: FieldsOf<"class"> }) {
  const own = useExperimentState(selectOwn);
  const spec = useMemo(() => pinned(own), [own]);
  const { metric, seats } = fields;
  const setup = useMemo((): ClassSetup => ({ spec, metric, seats }), [spec, metric, seats]);
  const room = useMemo(() => classroomOf(setupOf(spec)), [spec]);
  return (
    <section className="panel class-cell" aria-label={words.title} data-testid="class">
      <ClassSeat {...{ setup, room, fields }} />
      <Folded title={words.collect}>
        <ClassCodes {...{ setup, room, fields }} />
      </Folded>
    </section>
  );
}
