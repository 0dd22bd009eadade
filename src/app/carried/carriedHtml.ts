/** The text of a web page that carries all its files: one script, one style sheet, both allowed by their hashes alone. */

/** The element with the files; it is data and never run. */
export const CARRIED_ID = "turnbook-carried";

/** The page as the build made it (vite.carried.config.ts). */
export interface CarriedPage {
  script: string;
  style: string;
  hashes: CarriedHashes;
}

/** Of each text, as a policy names them: `sha256-…`. */
export interface CarriedHashes {
  script: string;
  style: string;
}

/** What the policies of all carried pages say alike. No address is allowed but those that hold their content. */
export function carriedPolicy(scripts: string, styles: string, connect: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts} 'wasm-unsafe-eval'`,
    "worker-src blob:",
    `connect-src ${connect}data:`,
    "img-src data: blob:",
    "font-src data:",
    `style-src ${styles}`,
    // As in the page's own policy: KaTeX places what it draws by them.
    "style-src-attr 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Everything around the page's content. @param head what stands behind the policy */
export function carriedDocument(title: string, policy: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${asText(title)}</title>
    <link rel="icon" href="data:," />
    ${head}
  </head>
  <body>
    <div id="root"></div>
    <noscript>Turnbook trains its models in the page, and needs JavaScript for that.</noscript>
    ${body}
  </body>
</html>
`;
}

/** @param files base64 by path */
export function carriedHtml(
  title: string,
  { script, style, hashes }: CarriedPage,
  files: Record<string, string>,
): string {
  const policy = carriedPolicy(`'${hashes.script}'`, `'${hashes.style}'`, "");
  // Paths are names of files, and base64 has no "<".
  const data = `<script type="application/json" id="${CARRIED_ID}">${JSON.stringify(files)}</script>`;
  const body = `${data}\n    <script>${script}</script>`;
  return carriedDocument(title, policy, `<style>${style}</style>`, body);
}

const CARRIED = new RegExp(`<script type="application/json" id="${CARRIED_ID}">([^<]*)</script>`);

/** The files of a page that `carriedHtml` wrote, base64 by path; null where it is none. @throws SyntaxError where they are not whole */
export function filesOfPage(html: string): Readonly<Record<string, string>> | null {
  const data = CARRIED.exec(html)?.[1];
  return data === undefined ? null : (JSON.parse(data) as Record<string, string>);
}

function asText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
