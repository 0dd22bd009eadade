// `node test/clinic/clinic.mjs run [--out FILE] [--seeds 1-4] [--healthy 40] [--only KIND]... [--logs DIR]`: stories of runs
// with planted faults; `score [--out FILE]`: their table; `retell --logs DIR [--out FILE]`: told anew from their logs.
import { withBundle } from "../bench/bundle.mjs";

await withBundle("../clinic/clinic", ({ main }) => main(process.argv.slice(2)));
