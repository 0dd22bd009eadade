/** The link's experiment has not run yet: which run is shown instead, and the settings in which they differ. */
import { useStore } from "zustand";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { learnerNames } from "../spec/preference.ts";
import { titleOf } from "../reading/titles.ts";
import { settingsThatDiffer, type Difference } from "../store/anotherRun.ts";
import type { ExperimentState } from "../store/experimentState.ts";
import type { ExperimentHandle } from "../store/hooks.ts";
import { environmentFields, mainFields, moreFields } from "./formFields.ts";
import { appWords } from "./strings.ts";

const words = appWords.anotherRun;

const selectOwn = ({ own }: ExperimentState) => own;

interface AnotherRunNoticeProps {
  experiment: ExperimentHandle;
  /** The link's experiment. */
  opened: ExperimentSpec;
  /** Which numbers are shown: the recorded run's, or none, because its environment differs; null while it loads. */
  numbers: "recorded" | "none" | null;
}

export function AnotherRunNotice({
  experiment: { store },
  opened,
  numbers,
}: AnotherRunNoticeProps) {
  const own = useStore(store, selectOwn);
  if (numbers === null) return null;
  if (numbers === "none") return <Elsewhere opened={opened} />;
  const methods = learnerNames(opened).map(titleOf).join(", ");
  const all = settingsThatDiffer(opened, own);
  const named = all.slice(0, MOST).map((one) => inWords(one, methods));
  const rest = all.length - named.length;
  return (
    <p className="notice notice-stale another-run" role="status" data-testid="another-run">
      <strong>{words.title}</strong> {words.settings(named.join("; "), rest)} {words.numbers}
      <Nearest opened={opened} />
    </p>
  );
}

/** No numbers are shown, and where there are some. */
function Elsewhere({ opened }: { opened: ExperimentSpec }) {
  return (
    <p className="notice notice-stale another-run" role="status" data-testid="another-run">
      <strong>{words.title}</strong> {appWords.recordingOther}
      <Nearest opened={opened} />
    </p>
  );
}

/** A link to a recorded run with the same environment and model size, if another page has one. */
function Nearest({ opened }: { opened: ExperimentSpec }) {
  const found = nearestTo(opened);
  return (
    found && (
      <>
        {" "}
        <a href={found.to}>{found.text}</a>
      </>
    )
  );
}

function nearestTo({ environment: { kind }, model }: ExperimentSpec) {
  if (kind === "webshop") return { to: "#lesson/shop", text: words.shopRun };
  if (kind === "sokoban" && model.preset === "micro")
    return { to: "#lesson/table/large?view=lens", text: words.classRun };
  if (model.preset.startsWith("talker"))
    return { to: "#lesson/talker/run?view=lens&layout=words", text: words.talkerRun };
  return null;
}

/** Maximum number of differences listed. */
const MOST = 3;

const labels = new Map(
  [...mainFields, ...[...environmentFields, ...moreFields].flatMap(({ fields }) => fields)].map(
    ({ path, label }) => [path, label],
  ),
);

function inWords({ path, here, recorded }: Difference, methods: string): string {
  if (path === "algorithms") return words.methods(methods);
  const label = labels.get(path) ?? path;
  return words.setting(label, here ?? words.absent, recorded ?? words.absent);
}
