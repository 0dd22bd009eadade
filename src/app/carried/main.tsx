/** The page as one classic script, for a self-contained file and for frames without an origin: see src/app/carried/README.md. */
import "../styles/all.ts";
import "../../panels/opening/opening.css";
import "../../panels/shared/moveArrows.css";
import { takeCarried } from "./takeCarried.ts";

takeCarried();
void import("../start.tsx");
