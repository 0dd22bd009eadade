/** Shows code from elsewhere, and asks before any of it runs. */
import { useStore } from "zustand";
import { codeConsent, type CodePiece } from "../store/codeConsent.ts";
import { CodeSource } from "../ui/CodeSource.tsx";
import { appWords } from "./strings.ts";
import { Button } from "../ui/Button.tsx";
import { Confirm } from "../ui/Confirm.tsx";

const words = appWords.code;

export function CodeDialog() {
  const asked = useStore(codeConsent, (state) => state.asked);
  return (
    <Confirm
      open={asked !== null}
      onKeep={() => asked?.answer(false)}
      title={words.title}
      about={words.about}
      keep={words.refuse}
      className="code-dialog"
      testId="code-dialog"
      body={<Pieces pieces={asked?.pieces ?? []} />}
    >
      <Button data-testid="code-allow" onClick={() => asked?.answer(true)}>
        {words.allow}
      </Button>
    </Confirm>
  );
}

/** All of it, so that nothing runs unseen. */
function Pieces({ pieces }: { pieces: readonly CodePiece[] }) {
  return (
    <div className="code-pieces">
      {pieces.map(({ title, source }, i) => (
        <section key={i}>
          <h3>{title}</h3>
          <CodeSource text={source} label={`${words.source}: ${title}`} />
        </section>
      ))}
    </div>
  );
}
