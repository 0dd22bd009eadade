/** Browser, processor and graphics adapter, as the browser reports them. */
import type { GpuFacts, MachineReport } from "../../runtime/machineReport.ts";
import { bytesWords, words } from "./words.ts";

export function ComputerSection({ report: { host, gpu } }: { report: MachineReport }) {
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
          {gpu?.adapter && !gpu.software && <span className="note">{words.adapterNote}</span>}
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
