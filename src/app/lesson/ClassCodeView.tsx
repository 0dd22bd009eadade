/** The target of a result code's link: after a click, the code is added to the class that this browser collects, or explained. */
import { useMemo } from "react";
import { useStore } from "zustand";
import { InputError } from "../../numeric/inputError.ts";
import { codesIn, readFacts, type CodeFacts } from "../../reading/classroom/resultCode.ts";
import { addCodes, classroomOf } from "../../store/classroom.ts";
import { Button } from "../../ui/Button.tsx";
import { useHash } from "../route.ts";
import { ViewHead } from "../ViewHead.tsx";
import { ClassCopy } from "./ClassCopy.tsx";
import { codeViewWords as words } from "./words.ts";
import "./classroom.css";

/** @param back address of the notebook. */
export function ClassCodeView({ back }: { back: string }) {
  const [code = ""] = codesIn(useHash());
  const read = useMemo(() => factsOf(code), [code]);
  return (
    <article className="class-codes" data-testid="class-code-view">
      <ViewHead words={words} back={back} />
      {"why" in read ? (
        <p className="notice">{words.damaged(read.why)}</p>
      ) : (
        <Known code={code} facts={read} />
      )}
    </article>
  );
}

function factsOf(code: string): CodeFacts | { why: string } {
  try {
    return readFacts(code);
  } catch (error) {
    if (error instanceof InputError) return { why: error.message };
    throw error;
  }
}

function Known({ code, facts }: { code: string; facts: CodeFacts }) {
  const room = classroomOf(facts.setup);
  const { codes, home } = useStore(room);
  const isThere = codes.includes(code);
  return (
    <>
      <p>{words.facts(facts.seed, facts.prediction)}</p>
      {home === null ? (
        <p>{words.notHere}</p>
      ) : (
        <div className="buttons">
          {!isThere && (
            <Button
              look="primary"
              data-testid="class-code-add"
              onClick={() => addCodes(room, [code])}
            >
              {words.add}
            </Button>
          )}
          <span role="status">
            {isThere ? words.added(codes.length) : words.here(codes.length)}
          </span>
          <a href={home}>{words.open}</a>
        </div>
      )}
      <ClassCopy code={code} />
    </>
  );
}
