// `node test/clinic/clinic.mjs run [--out FILE] [--seeds 1-4] [--healthy 40] [--only KIND]... [--logs DIR]`: stories of runs
// with planted faults; `score [--out FILE]`: their table; `retell --logs DIR [--out FILE] [--metrics-only]`: told anew from their logs;
// `gallery [--healthy N] [--only NAME]... [--logs DIR]`: when the doctor finds the gallery's planted collapses, and N healthy seeds on
// which it is to stay silent. NAME: a preset, not-finite, or healthy.
import { withBundle } from "../bench/bundle.mjs";

await withBundle("../clinic/clinic", ({ main }) => main(process.argv.slice(2)));
