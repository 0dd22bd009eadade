/**
 * `notebook badge FILE --site ADDRESS [--repo OWNER/REPO[@REF]]`: the Markdown of a badge that opens the notebook on a site
 * that serves Turnbook: from a repository of GitHub, where FILE is its path there, or else whole in the link.
 */
import { badgeMarkdown, LONGEST_LINK, notebookHash } from "../notebook/sharedText.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { parseArgs } from "./args.ts";
import type { Command } from "./command.ts";
import { readText } from "./readFile.ts";

const REPOSITORY = /^[\w.-]{1,39}\/[\w.-]{1,100}(@[\w./-]{1,100})?$/;

export const badgeCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { site: { type: "string" }, repo: { type: "string" } });
  const [path, ...more] = args.words;
  if (path === undefined || more.length > 0)
    throw new InputError(`notebook badge needs one file, not ${args.words.length}`);
  const site = args.string("site") ?? "";
  if (!URL.canParse(site) || !/^https?:/.test(site))
    throw new InputError(
      `option --site is ${show(site)}; it must be the address of a page that serves Turnbook, such as https://example.org/turnbook/`,
    );
  const text = readText("the notebook", path);
  const markdown = badgeMarkdown(site, hashOf(path, text, args.string("repo")));
  (out.text ?? out.json)(markdown);
  return Promise.resolve();
};

function hashOf(path: string, text: string, repository: string | undefined): string {
  if (repository === undefined) {
    const hash = notebookHash(text);
    if (hash.length <= LONGEST_LINK) return hash;
    throw new InputError(
      `the notebook makes a link of ${hash.length} characters; at most ${LONGEST_LINK} work everywhere: name its repository with --repo`,
    );
  }
  if (!REPOSITORY.test(repository))
    throw new InputError(
      `option --repo is ${show(repository)}; it must be OWNER/REPO or OWNER/REPO@REF`,
    );
  const file = path.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
  if (file.startsWith("/") || file.split("/").includes(".."))
    throw new InputError(
      `the notebook is ${show(path)}; with --repo it must be its path in the repository`,
    );
  return `#gh:${[...repository.split("/"), ...file.split("/")].map(encodeURIComponent).join("/").replaceAll("%40", "@")}`;
}
