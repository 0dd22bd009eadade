/** The class experiment: each seat trains with a seed of its own and hands in a code; the teacher's page puts them together. */
import type { ContentProps } from "../book/cells/screen.ts";
import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import { readFields, type FieldsOf } from "../../notebook/cellFields.ts";
import { setupOf } from "../../reading/classroom/resultCode.ts";
import { pinned, specOfClass, type ClassSetup } from "../../reading/classroom/classResults.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { classroomOf, type Classroom } from "../../store/classroom.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { Folded } from "../../ui/Folded.tsx";
import { ClassCodes } from "./ClassCodes.tsx";
import { ClassSeat } from "./ClassSeat.tsx";
import { classWords as words } from "./words.ts";
import "./classroom.css";

const selectOwn = ({ own }: ExperimentState) => own;
const selectSpec = ({ draft }: ExperimentState) => draft.spec;

export function ClassCell({ cell }: ContentProps) {
  const fields = useMemo(() => readFields("class", cell.body).value, [cell.body]);
  return fields && <Class fields={fields} />;
}

function Class({ fields }: { fields: FieldsOf<"class"> }) {
  const own = useExperimentState(selectOwn);
  const spec = useExperimentState(selectSpec);
  // A class link fixes its settings. Before there is one they are those of the form, but for the seed, which is the desk's.
  const isFixed = fields.name !== undefined;
  const lesson = useMemo(
    () => pinned(isFixed ? own : { ...spec, seed: own.seed }),
    [isFixed, own, spec],
  );
  const room = useMemo(() => classroomOf(setupOf(lesson)), [lesson]);
  useSameName(room);
  const { metric, seats } = fields;
  // The page that a class link opens has the class's seeds already.
  const name = useStore(room, (state) => (fields.name === undefined ? state.name : ""));
  const setup = useMemo((): ClassSetup => {
    return { spec: name === "" ? lesson : specOfClass(lesson, name), metric, seats };
  }, [lesson, name, metric, seats]);
  return (
    <section className="panel class-cell" aria-label={words.title} data-testid="class">
      <ClassSeat {...{ setup, room, fields }} />
      <Folded title={words.collect}>
        <ClassCodes {...{ setup, room, fields }} />
      </Folded>
    </section>
  );
}

/** The class keeps its name where its teacher changes a setting, though codes of other settings are another class's. */
function useSameName(room: StoreApi<Classroom>): void {
  const before = useRef(room);
  useEffect(() => {
    const { name } = before.current.getState();
    if (before.current !== room && name !== "" && room.getState().name === "")
      room.setState({ name });
    before.current = room;
  }, [room]);
}
