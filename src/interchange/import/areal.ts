/**
 * AReaL's trajectories: one file for each task of a step (`rollout/{step}/{task}.jsonl`), one line
 * for each sample. Before 2.0 the prompt is cut at `seqlen - sum(mask)`, which is wrong with several
 * turns; since then `segments` say who wrote what.
 */
import { bareTurn, warnOnce, type Findings, type ForeignTurn, type Format } from "./foreign.ts";
import type { FileSource } from "./sources.ts";
import { textCell, takeRow } from "./rows.ts";
import { promptAndAnswer, spokenTurns, type SpokenTurns } from "./spoken.ts";
import { isRecord } from "../../spec/jsonText.ts";
import {
  iterationNumber,
  listOf,
  namesInOrder,
  numberOf,
  textOrNull,
  type Fields,
} from "./values.ts";

/** What the page says of AReaL's files. */
const arealWords = {
  joined:
    "AReaL before 2.0 cuts the prompt of several turns in the wrong place: prompt and completion were joined and cut by the template.",
  again:
    "Some tasks of AReaL have a sample_idx twice, as a resumed run writes them: each time is a group of its own.",
} as const;

const fits = (value: unknown): value is Fields =>
  isRecord(value) && "task_id" in value && "seqlen" in value && "completion" in value;

export const areal: Format = {
  apart: "nothing",
  fits,
  reader(findings) {
    const taskName = namesInOrder("task");
    const groups = groupsBySample();
    return {
      take(value, file) {
        if (!fits(value)) return false;
        const step = stepFolder(file) ?? iterationNumber(value["tail_version"]);
        const { group, times } = groups(`${step} ${String(value["task_id"])}`, value["sample_idx"]);
        if (times > 0) warnOnce(findings, "sample_idx", arealWords.again);
        const [head, tail] = [numberOf(value["head_version"]), numberOf(value["tail_version"])];
        takeRow(value, "AReaL", file, findings, taskName, {
          conversation: arealConversation(value, findings),
          step,
          group: taskName(group),
          more: {
            ...(head !== null && tail !== null && { policy: [head, tail] as const }),
            ...("sample_idx" in value && {
              id: `${String(value["task_id"])}/${String(value["sample_idx"])}${times > 0 ? ` again ${times}` : ""}`,
            }),
          },
        });
        return true;
      },
    };
  },
};

/** A resumed run appends to a task's file: there a sample's number comes again, and with it begins another group. */
function groupsBySample(): (task: string, sample: unknown) => { group: string; times: number } {
  let [now, times] = ["", 0];
  const seen = new Set<unknown>();
  return (task, sample) => {
    const isNew = task !== now;
    if (isNew) [now, times] = [task, 0];
    else if (seen.has(sample)) times++;
    if (isNew || seen.has(sample)) seen.clear();
    if (sample !== undefined) seen.add(sample);
    return { group: `${now} ${times}`, times };
  };
}

function stepFolder({ name }: FileSource): number | null {
  const found = /(?:^|[\\/])(\d+)[\\/][^\\/]+$/.exec(name);
  return found ? iterationNumber(Number(found[1])) : null;
}

function arealConversation(row: Fields, findings: Findings): SpokenTurns {
  const segments = listOf(row["segments"])?.filter(isRecord);
  if (!segments) {
    findings.assume(arealWords.joined);
    const whole = textCell(row, "prompt") + textCell(row, "completion");
    return spokenTurns(...promptAndAnswer(whole, findings), findings);
  }
  const turns: ForeignTurn[] = [];
  let heard = "";
  for (const { role, text } of segments) {
    if (role !== "gen") heard += textOrNull(text) ?? "";
    else {
      turns.push(bareTurn(heard, textOrNull(text) ?? ""));
      heard = "";
    }
  }
  return { turns, last: heard };
}
