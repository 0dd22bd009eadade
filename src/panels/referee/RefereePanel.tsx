/** The referee's results: a figure whose choices of a line are in the address. */
import { useMemo, useState } from "react";
import { FigureView } from "../../draw/FigureView.tsx";
import type { Act, ChosenOptions } from "../../figures/choices.ts";
import { REFEREE_FILE, readReport } from "../../figures/referee/recorded.ts";
import { refereeChoice, refereeFigure } from "../../figures/referee/referee.ts";
import { words } from "../../figures/referee/words.ts";
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
  const figure = useMemo(() => {
    if (report === null || report === "missing") return null;
    return refereeFigure(report, refereeChoice(report, { ...held, ...named }));
  }, [report, held, named]);
  if (report === null) return <Empty>{words.loading}</Empty>;
  if (report === "missing" || !figure) return <Empty>{words.failed}</Empty>;
  const does = (act: Act) => {
    if (!("choose" in act)) return;
    setHeld({ ...held, ...act.choose });
    if (!["task", "row", "critic"].some((id) => id in act.choose)) return;
    const { task, row, critic } = refereeChoice(report, { ...held, ...named, ...act.choose });
    onLine(task, row, critic);
  };
  return <FigureView panel="referee" figure={figure} parts={{}} does={does} />;
}
