/** Which methods are drawn: six at most, the others are chosen in their place. */
import { useState, type ReactNode } from "react";
import { LineSwatch } from "../../charts/LineSwatch.tsx";
import { lineStyles } from "../../charts/palette.ts";
import { titleOf } from "../../reading/titles.ts";
import { CheckBox } from "../../ui/Field.tsx";
import { drawnMethods, methodToggled, MOST_METHODS } from "../../figures/curves/lines.ts";
import { words } from "../../figures/curves/words.ts";

interface MethodChoiceProps {
  /** All methods there are. */
  names: readonly string[];
  hidden: readonly string[];
  onToggle: (name: string) => void;
}

export function MethodChoice({ names, hidden, onToggle }: MethodChoiceProps) {
  const styles = lineStyles(names);
  const drawn = drawnMethods(names, hidden);
  const isFull = drawn.length >= MOST_METHODS;
  return (
    <div className="curve-methods" role="group" aria-label={words.methods}>
      {names.map((name) => (
        <CheckBox
          key={name}
          checked={drawn.includes(name)}
          disabled={isFull && !drawn.includes(name)}
          onChange={() => onToggle(name)}
        >
          <LineSwatch {...styles.get(name)!} />
          {titleOf(name)}
        </CheckBox>
      ))}
      {isFull && names.length > MOST_METHODS && (
        <span className="note">{words.mostMethods(MOST_METHODS)}</span>
      )}
    </div>
  );
}

/** The methods of charts without settings: the drawn ones, and the choice if there are more. */
export function useMethodChoice(names: readonly string[]): {
  drawn: readonly string[];
  choice: ReactNode;
} {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const toggle = (name: string) => setHidden((now) => methodToggled(names, now, name));
  const choice = names.length > MOST_METHODS && (
    <MethodChoice names={names} hidden={hidden} onToggle={toggle} />
  );
  return { drawn: drawnMethods(names, hidden), choice };
}
