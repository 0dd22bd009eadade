/**
 * A panel of the lens in a document without layout, for what it says and does: a hundred times as quick as in a browser,
 * where its looks are tested. The test file begins with `// @vitest-environment happy-dom`.
 */
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, vi } from "vitest";
import { firstKeyOf } from "../../src/app/actions.ts";
import { PanelSection } from "../../src/app/lens/PanelSection.tsx";
import type { PanelId } from "../../src/panels/manifests.ts";
import { lensPanels } from "../../src/panels/panelTable.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { ExperimentContext, type ExperimentHandle } from "../../src/store/hooks.ts";
import { ActionKeys } from "../../src/ui/actionKeys.ts";
import { emptyExperiment, openLens, showText } from "../stories/experimentOf.ts";

interface ShownPanel {
  experiment: ExperimentHandle;
  panel: HTMLElement;
}

/**
 * Opens one panel over a recording's text, at a place such as "turn-ppo,2,4,2"; nothing may be reported as an error.
 * `spec`: the page's experiment, whose environment must be the recording's; Sokoban when absent.
 */
export async function panelInDom(
  id: PanelId,
  text: string,
  at?: string,
  spec?: ExperimentSpec,
): Promise<ShownPanel> {
  const experiment = emptyExperiment("test", spec);
  await showText(experiment, text);
  openLens(experiment, { panels: [id], ...(at !== undefined && { at }) });
  const shown = lensPanels.find((one) => one.id === id)!;
  reported = vi.spyOn(console, "error");
  await act(async () => {
    render(
      <ActionKeys value={firstKeyOf}>
        <ExperimentContext value={experiment}>
          <PanelSection panel={shown} lead />
        </ExperimentContext>
      </ActionKeys>,
    );
  });
  const panel = await screen.findByTestId(`${id}-panel`);
  return { experiment, panel };
}

let reported: { mock: { calls: unknown[][] }; mockRestore(): void } | undefined;

/**
 * Sets up a file's tests: a panel is closed after each. Called by every file, since a worker loads this module once for
 * several files.
 */
export function usesPanels(): void {
  afterEach(() => {
    cleanup();
    const calls = reported?.mock.calls ?? [];
    reported?.mockRestore();
    reported = undefined;
    expect(calls).toEqual([]);
  });
}
