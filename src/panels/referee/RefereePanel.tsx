/** The referee's results: a figure whose choices of a line are in the address. */
import { useMemo, useState } from "react";
import { FigureView } from "../../draw/FigureView.tsx";
import type { Act, ChosenOptions } from "../../figures/choices.ts";
import { REFEREE_FILE, readReport } from "../../figures/referee/recorded.ts";
import {
  chosenLine,
  refereeChoice,
  refereeFigure,
  type AgainState,
} from "../../figures/referee/referee.ts";
import { words } from "../../figures/referee/words.ts";
import type { RefereeReport } from "../../reading/referee/lines.ts";
import { scoreAgain } from "../../store/scoreAgain.ts";
import { Empty } from "../../ui/Empty.tsx";
import { useServed } from "../../ui/parts/served.ts";

interface RefereePanelProps {
  /** What the address names. */
  named: ChosenOptions;
  /** Another line was chosen. */
  onLine: (task: string, row: string, critic: string) => void;
}

export function RefereePanel({ named, onLine }: RefereePanelProps) {
  const report = useServed(REFEREE_FILE, readReport);
  const [held, setHeld] = useState<ChosenOptions>({});
  const choice = useMemo(
    () =>
      report === null || report === "missing" ? null : refereeChoice(report, { ...held, ...named }),
    [report, held, named],
  );
  const line = choice && [choice.task, choice.row, choice.critic].join(" ");
  const [came, setCame] = useState<{ line: string; state: AgainState } | null>(null);
  const again = came?.line === line ? came!.state : null;
  const figure = useMemo(() => {
    if (report === null || report === "missing" || !choice) return null;
    return refereeFigure(report, choice, again);
  }, [report, choice, again]);
  if (report === null) return <Empty>{words.loading}</Empty>;
  if (report === "missing" || !figure) return <Empty>{words.failed}</Empty>;
  const does = (act: Act) => {
    if ("move" in act) {
      setCame({ line: line!, state: "busy" });
      void computeAgain(report, choice!).then((state) => setCame({ line: line!, state }));
    }
    if (!("choose" in act)) return;
    setHeld({ ...held, ...act.choose });
    if (!["task", "row", "critic"].some((id) => id in act.choose)) return;
    const { task, row, critic } = refereeChoice(report, { ...held, ...named, ...act.choose });
    onLine(task, row, critic);
  };
  return <FigureView panel="referee" figure={figure} parts={{}} does={does} />;
}

/** The same line to its last digit, on any machine, unless code has changed. */
async function computeAgain(
  { lines, seeds, episodes }: RefereeReport,
  choice: Parameters<typeof chosenLine>[1],
): Promise<AgainState> {
  const kept = chosenLine(lines, choice)!;
  const { task, row, critic } = kept;
  const made = await scoreAgain({ task, row, critic, seeds, episodes });
  if (made === null) return "failed";
  return JSON.stringify(made) === JSON.stringify(kept) ? "same" : "differs";
}
