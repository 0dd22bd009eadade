/** By rule: a file, and a fault in it that the rule finds. */
type Fault = readonly [path: string, text: string];

const ts = (name: string, text: string): Fault => [`src/${name}.ts`, `${text}\n`];

/** In a component, so that every rule of the screen looks at it. */
const tsx = (name: string, markup: string): Fault => [
  `src/${name}.tsx`,
  `export const Shown = () => ${markup};\n`,
];

const hook = (name: string, body: string): Fault => [
  `src/${name}.tsx`,
  `import { useEffect, useMemo, useRef, useState } from "react";
export function Shown({ a, items }: { a: number; items: number[] }) {
${body}
}
`,
];

const LANGUAGE: Record<string, Fault> = {
  "no-var": ts("var", "var a = 1;\nexport { a };"),
  "prefer-const": ts("const", "let a = 1;\nexport const b = a;"),
  "prefer-rest-params": ts("rest", "export function f() {\n  return arguments[0];\n}"),
  "prefer-spread": ts(
    "spread",
    "export const f = (g: () => void, list: []) => g.apply(undefined, list);",
  ),
  "no-array-constructor": ts("array", "export const a = new Array(0, 1, 2);"),
  "no-unused-expressions": ts("expression", "export const f = (a: number) => {\n  a + 1;\n};"),
  "no-unused-vars": ts("unused", "const a = 1;"),
  "import/no-default-export": ts("default", "export default 1;"),
};

const TYPESCRIPT: Record<string, Fault> = {
  "typescript/ban-ts-comment": ts("comment", "// @ts-ignore\nexport const a = 1;"),
  "typescript/consistent-type-imports": ts(
    "imports",
    'import { Stats } from "node:fs";\nexport type A = Stats;',
  ),
  "typescript/no-duplicate-enum-values": ts("enum", "export enum A {\n  b = 1,\n  c = 1,\n}"),
  "typescript/no-empty-object-type": ts("object", "export type A = {};"),
  "typescript/no-explicit-any": ts("any", "export type A = any;"),
  "typescript/no-extra-non-null-assertion": ts(
    "assertion",
    "export const f = (a: string | null) => a!!.length;",
  ),
  "typescript/no-floating-promises": ts(
    "floating",
    "const f = async () => 1;\nexport const g = () => {\n  f();\n};",
  ),
  "typescript/no-misused-new": ts("new", "export interface A {\n  new (): A;\n}"),
  "typescript/no-namespace": ts("namespace", "export namespace A {\n  export const b = 1;\n}"),
  "typescript/no-non-null-asserted-optional-chain": ts(
    "chain",
    "export const f = (a?: { b: number }) => a?.b!;",
  ),
  "typescript/no-require-imports": ts("require", 'export const a = require("node:fs");'),
  "typescript/no-this-alias": ts(
    "alias",
    "export class A {\n  b() {\n    const a = this;\n    return a;\n  }\n}",
  ),
  "typescript/no-unnecessary-type-constraint": ts(
    "constraint",
    "export const f = <T extends unknown>(a: T) => a;",
  ),
  "typescript/no-unsafe-declaration-merging": ts(
    "merging",
    "export interface A {\n  b: number;\n}\nexport class A {}",
  ),
  "typescript/no-unsafe-function-type": ts("function", "export type A = Function;"),
  "typescript/no-wrapper-object-types": ts("wrapper", "export type A = String;"),
  "typescript/prefer-as-const": ts("as", 'export const a = "b" as "b";'),
  "typescript/prefer-namespace-keyword": ts("module", "export module A {\n  export type B = 1;\n}"),
  "typescript/triple-slash-reference": ts(
    "reference",
    '/// <reference path="./any.ts" />\nexport const a = 1;',
  ),
};

const SCREEN: Record<string, Fault> = {
  "jsx-a11y/alt-text": tsx("alt", '<img src="a.png" />'),
  "jsx-a11y/anchor-has-content": tsx("anchor", '<a href="#a" />'),
  "jsx-a11y/anchor-is-valid": tsx("href", '<a href="#">b</a>'),
  "jsx-a11y/aria-activedescendant-has-tabindex": tsx(
    "descendant",
    '<div aria-activedescendant="a" />',
  ),
  "jsx-a11y/aria-props": tsx("props", '<div aria-labeledby="a" />'),
  "jsx-a11y/aria-proptypes": tsx("types", '<div role="checkbox" aria-checked="b" />'),
  "jsx-a11y/aria-role": tsx("role", '<div role="datepicker" />'),
  "jsx-a11y/aria-unsupported-elements": tsx("meta", '<meta aria-hidden="false" />'),
  "jsx-a11y/autocomplete-valid": tsx("autocomplete", '<input type="text" autoComplete="foo" />'),
  "jsx-a11y/click-events-have-key-events": tsx("click", "<div onClick={() => {}} />"),
  "jsx-a11y/heading-has-content": tsx("heading", "<h1 />"),
  "jsx-a11y/html-has-lang": tsx("html", "<html />"),
  "jsx-a11y/iframe-has-title": tsx("iframe", '<iframe src="a" />'),
  "jsx-a11y/img-redundant-alt": tsx("image", '<img src="a" alt="image of b" />'),
  "jsx-a11y/interactive-supports-focus": tsx(
    "focus",
    '<div role="button" onClick={() => {}} onKeyDown={() => {}} />',
  ),
  "jsx-a11y/label-has-associated-control": tsx("label", "<label>a</label>"),
  "jsx-a11y/media-has-caption": tsx("media", '<video src="a" />'),
  "jsx-a11y/mouse-events-have-key-events": tsx("mouse", "<div onMouseOver={() => {}} />"),
  "jsx-a11y/no-access-key": tsx("access", '<button accessKey="h">a</button>'),
  "jsx-a11y/no-autofocus": tsx("autofocus", "<input autoFocus />"),
  "jsx-a11y/no-distracting-elements": tsx("marquee", "<marquee />"),
  "jsx-a11y/no-interactive-element-to-noninteractive-role": tsx(
    "interactive",
    '<button role="article">a</button>',
  ),
  "jsx-a11y/no-noninteractive-element-interactions": tsx("item", "<li onClick={() => {}} />"),
  "jsx-a11y/no-noninteractive-element-to-interactive-role": tsx(
    "noninteractive",
    '<h1 role="button">a</h1>',
  ),
  "jsx-a11y/no-noninteractive-tabindex": tsx("article", "<article tabIndex={0} />"),
  "jsx-a11y/no-redundant-roles": tsx("redundant", '<button role="button">a</button>'),
  "jsx-a11y/no-static-element-interactions": tsx("static", "<div onClick={() => {}} />"),
  "jsx-a11y/role-has-required-aria-props": tsx("required", '<span role="checkbox" />'),
  "jsx-a11y/role-supports-aria-props": tsx("supports", '<a href="#a" aria-checked>b</a>'),
  "jsx-a11y/scope": tsx("scope", '<div scope="col" />'),
  "jsx-a11y/tabindex-no-positive": tsx("positive", "<button tabIndex={5}>a</button>"),
};

const REACT: Record<string, Fault> = {
  "react/error-boundaries": hook(
    "boundaries",
    "  try {\n    return <p>{a}</p>;\n  } catch {\n    return null;\n  }",
  ),
  "react/exhaustive-deps": hook(
    "deps",
    "  useEffect(() => {\n    document.title = `${a}`;\n  }, []);\n  return <p>{items}</p>;",
  ),
  "react/globals": [
    "src/globals.tsx",
    "let count = 0;\nexport function Shown() {\n  count = 1;\n  return <p>{count}</p>;\n}\n",
  ],
  "react/immutability": hook("immutability", "  window.name = `${a}`;\n  return <p>{items}</p>;"),
  "react/incompatible-library": [
    "src/library.tsx",
    'import { useVirtualizer } from "@tanstack/react-virtual";\nexport function Shown() {\n  const rows = useVirtualizer({ count: 1 });\n  return <p>{rows.getTotalSize()}</p>;\n}\n',
  ],
  "react/purity": hook("purity", "  const b = Math.random();\n  return <p>{a + b}</p>;"),
  "react/refs": hook("refs", "  const b = useRef(a);\n  return <p>{b.current}</p>;"),
  "react/rules-of-hooks": hook("hooks", "  if (a > 1) useState(0);\n  return <p>{items}</p>;"),
  "react/set-state-in-effect": hook(
    "effect",
    "  const [b, setB] = useState(0);\n  useEffect(() => setB(a), [a]);\n  return <p>{b}</p>;",
  ),
  "react/set-state-in-render": hook(
    "render",
    "  const [b, setB] = useState(0);\n  setB(a);\n  return <p>{b}</p>;",
  ),
  "react/static-components": hook(
    "components",
    "  const Part = () => <i>{a}</i>;\n  return <Part />;",
  ),
  "react/unsupported-syntax": hook("syntax", "  eval(`${a}`);\n  return <p>{items}</p>;"),
  "react/use-memo": hook(
    "memo",
    "  const b = useMemo((c: number) => c, []);\n  return <p>{b}</p>;",
  ),
};

const OWN: Record<string, Fault> = {
  "turnbook/shared-hooks": ["test/shared.ts", "beforeEach(() => {});\n"],
  "turnbook/spread-in-extreme": ts(
    "extreme",
    "export const f = (a: number[]) => Math.max(0, ...a);",
  ),
  "turnbook/spread-in-push": ts("push", "export const f = (a: number[]) => a.push(...a);"),
  "turnbook/spread-in-text": ts(
    "text",
    "export const f = (a: number[]) => String.fromCharCode(...a);",
  ),
};

export const FAULTS: Readonly<Record<string, Fault>> = {
  ...LANGUAGE,
  ...TYPESCRIPT,
  ...SCREEN,
  ...REACT,
  ...OWN,
};

/** What only a test may do. */
export const ALLOWED: Fault = [
  "test/allowed.test.ts",
  "const list = [1];\nbeforeEach(() => {\n  list.push(Math.max(...list));\n});\n",
];

/** Each line spreads a list into a call in another way. */
export const SPREADS: Fault = ts(
  "spreads",
  `type L = number[];
export const a = (x: L) => Math.max(0, ...x);
export const b = (x: L) => Math.min(...x);
export const c = (x: L, y: L) => y.push(...x);
export const d = (x: L, y: L) => y.splice(0, 1, ...x);
export const e = (x: L) => String.fromCharCode(...x);
export const f = (x: L) => Float64Array.of(...x);`,
);
