/** A student's part: a seat, a prediction, a run, and the code that it gives. */
import { useId, useState } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/shallow";
import type { StoreApi } from "zustand/vanilla";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { seedOfSeat, type ClassSetup } from "../../reading/classroom/classResults.ts";
import { codeOfRun } from "../../reading/classroom/resultCode.ts";
import type { Classroom } from "../../store/classroom.ts";
import { isRunOver, type ExperimentState } from "../../store/experimentState.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import { runInTurn } from "../../store/runQueue.ts";
import { openDraft } from "../../store/specDraft.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox, Field } from "../../ui/Field.tsx";
import { ClassCopy } from "./ClassCopy.tsx";
import { classWords as words } from "./words.ts";

interface ClassProps {
  setup: ClassSetup;
  room: StoreApi<Classroom>;
  fields: FieldsOf<"class">;
}

export function ClassSeat({ setup, room, fields }: ClassProps) {
  const { seat, prediction } = useStore(room);
  const name = useId();
  const isTrained = useHasRun(setup, seat);
  return (
    <div className="class-seat">
      <Seat setup={setup} room={room} />
      <fieldset>
        <legend>{fields.question}</legend>
        {fields.options.map((option, i) => (
          <CheckBox
            key={i}
            type="radio"
            name={name}
            disabled={isTrained}
            checked={prediction === i + 1}
            onChange={() => room.setState({ prediction: i + 1 })}
          >
            {option}
          </CheckBox>
        ))}
        {isTrained && <p className="note">{words.predictionStays}</p>}
      </fieldset>
      <Train setup={setup} isReady={seat !== null && prediction !== null} seat={seat} />
      {seat !== null && <OwnCode {...{ setup, seat, prediction }} />}
    </div>
  );
}

function Seat({ setup, room }: Pick<ClassProps, "setup" | "room">) {
  const seat = useStore(room, (state) => state.seat);
  const [typed, setTyped] = useState(seat === null ? "" : String(seat));
  const number = seatIn(typed, setup);
  const isUsable = number !== null;
  return (
    <Field
      label={words.seat}
      hint={isUsable ? words.seed(seedOfSeat(setup, number)) : words.seatHint(setup.seats)}
      problem={typed === "" || isUsable ? undefined : words.noSeat(typed, setup.seats)}
    >
      {(control) => (
        <input
          {...control}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          data-testid="class-seat"
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            room.setState({ seat: seatIn(value, setup) });
          }}
        />
      )}
    </Field>
  );
}

/** Null if it is not a desk of the class. */
function seatIn(text: string, { seats }: ClassSetup): number | null {
  const number = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= seats ? number : null;
}

const selectState = ({ state }: ExperimentState) => state;

function Train(props: { setup: ClassSetup; isReady: boolean; seat: number | null }) {
  const { setup, isReady, seat } = props;
  const experiment = useExperiment();
  const state = useExperimentState(selectState);
  const train = () => {
    const spec = { ...setup.spec, seed: seedOfSeat(setup, seat!) };
    experiment.store.setState({ draft: openDraft(spec) });
    runInTurn(experiment);
  };
  return (
    <div className="buttons">
      <Button
        look="primary"
        data-testid="class-train"
        disabled={!isReady || !isRunOver(state)}
        onClick={train}
      >
        {words.train}
      </Button>
      <span className="note">{isReady ? words.states[state] : words.first}</span>
    </div>
  );
}

const selectRun = ({ view, state }: ExperimentState) => ({ view, state });

/** Whether this seat's run has begun on this page: a later guess is not a prediction. */
function useHasRun(setup: ClassSetup, seat: number | null): boolean {
  return useExperimentState(({ view: { log, origin } }: ExperimentState) => {
    const seed = log.start?.spec.seed;
    return origin === "live" && seat !== null && seed === seedOfSeat(setup, seat);
  });
}

/** For the run of this seat, once it has ended. */
function OwnCode(props: { setup: ClassSetup; seat: number; prediction: number | null }) {
  const { setup, seat, prediction } = props;
  const { view, state } = useExperimentState(useShallow(selectRun));
  const { log, origin } = view;
  const isOwn = log.start?.spec.seed === seedOfSeat(setup, seat);
  if (state !== "finished" || origin !== "live" || !isOwn || !log.end) return null;
  if (log.start?.engine.reproducible !== "everywhere")
    return <p className="notice">{words.otherEngine}</p>;
  return (
    <div>
      <p>{words.handIn}</p>
      <ClassCopy code={codeOfRun(log, setup.metric, prediction)} />
    </div>
  );
}
