/** Browser, processor and graphics adapter, as the browser reports them. */
import type { GpuFacts, MachineReport } from "../../runtime/machineReport.ts";
import { CheckBox } from "../../ui/Field.tsx";
import { bytesWords, words } from "./words.ts";

interface ComputerSectionProps extends CardChoiceProps {
  report: MachineReport;
}

export function ComputerSection({ report: { host, gpu }, ...choice }: ComputerSectionProps) {
  const { browser, cores, memoryGiB } = host;
  return (
    <section className="panel" aria-labelledby="machine-computer" data-testid="machine-computer">
      <h2 id="machine-computer">{words.computer}</h2>
      <dl className="facts">
        <Fact name={words.browser}>{browser}</Fact>
        <Fact name={words.cores}>{cores ?? words.unreported}</Fact>
        <Fact name={words.ram}>
          {memoryGiB === null ? words.unreported : `${memoryGiB} GiB, as the browser rounds it`}
        </Fact>
        <Fact name={words.adapter}>
          <span data-testid="adapter">{gpu?.adapter ?? gpu?.why ?? words.unreported}</span>
          {gpu?.adapter && !gpu.software && <CardChoice {...choice} />}
        </Fact>
        {gpu?.adapter && (
          <>
            <Fact name={words.features}>{gpu.features.join(", ") || words.noFeatures}</Fact>
            <Fact name={words.limits}>
              <Limits gpu={gpu} />
            </Fact>
          </>
        )}
      </dl>
    </section>
  );
}

interface CardChoiceProps {
  lowPower: boolean;
  working: boolean;
  onLowPower: (on: boolean) => void;
}

/** Laptops have two cards; the one in use is shown above. */
function CardChoice({ lowPower, working, onLowPower }: CardChoiceProps) {
  return (
    <>
      <CheckBox
        checked={lowPower}
        disabled={working}
        data-testid="low-power"
        onChange={({ target }) => onLowPower(target.checked)}
      >
        {words.lowPower}
      </CheckBox>
      <span className="note">{words.adapterNote}</span>
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Limits({ gpu }: { gpu: GpuFacts }) {
  return gpu.limits.map(({ name, value }) => (
    <span key={name}>
      <code>{name}</code> {/Size$/.test(name) && !/SizeX/.test(name) ? bytesWords(value) : value}
    </span>
  ));
}
