/** Writes a web page with all its files embedded: one script, one style sheet, both allowed only by their hashes. */

/** The element with the files; it is data and never run. */
export const CARRIED_ID = "turnbook-carried";

/** The page as the build made it (vite.carried.config.ts). */
export interface CarriedPage {
  script: string;
  style: string;
  hashes: CarriedHashes;
}

/** For each text, in a policy's format: `sha256-…`. */
export interface CarriedHashes {
  script: string;
  style: string;
}

/** The common policy of all embedded pages. No address is allowed except data: and blob:. */
export function carriedPolicy(scripts: string, styles: string, connect: string): string {
  return [
    "default-src 'none'",
    `script-src ${scripts} 'wasm-unsafe-eval'`,
    "worker-src blob:",
    `connect-src ${connect}data:`,
    "img-src data: blob:",
    "font-src data:",
    `style-src ${styles}`,
    // As in the page's own policy: KaTeX positions elements with them.
    "style-src-attr 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Everything around the page's content. @param head what follows the policy */
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
  // Paths are names of files, and base64 contains no "<".
  const data = `<script type="application/json" id="${CARRIED_ID}">${JSON.stringify(files)}</script>`;
  const body = `${data}\n    <script>${script}</script>`;
  return carriedDocument(title, policy, `<style>${style}</style>`, body);
}

const CARRIED = new RegExp(`<script type="application/json" id="${CARRIED_ID}">([^<]*)</script>`);

/** The files of a page written by `carriedHtml`, base64 by path; null if it is another page. @throws SyntaxError if they are damaged */
export function filesOfPage(html: string): Readonly<Record<string, string>> | null {
  const data = CARRIED.exec(html)?.[1];
  return data === undefined ? null : (JSON.parse(data) as Record<string, string>);
}

function asText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
