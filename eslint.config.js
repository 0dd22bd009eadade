import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** One name per thing: default exports let every importer choose another. */
const NAMED = { selector: "ExportDefaultDeclaration", message: "Use a named export." };
/** A worker loads a shared module once for several test files, so hooks at its top would serve the first file only. */
const HOOKS = {
  selector:
    "Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(Each|All)$/]",
  message: "Register hooks in a function that every test file calls.",
};
/** Each item of a spread list takes a place on the stack: 65,000 of them overflow it. */
const SPREADS = [
  {
    selector:
      "CallExpression[callee.object.name='Math'][callee.property.name=/^(max|min|hypot)$/] > SpreadElement",
    message: "A long list overflows the stack: use greatest or least of src/numeric/lists.ts.",
  },
  {
    selector: "CallExpression[callee.property.name=/^(push|unshift|splice)$/] > SpreadElement",
    message: "A long list overflows the stack: use append of src/numeric/lists.ts.",
  },
  {
    selector:
      "CallExpression[callee.property.name=/^(fromCharCode|fromCodePoint|of)$/] > SpreadElement",
    message: "A long list overflows the stack: use textOfCodes of src/numeric/lists.ts, or from.",
  },
];

/** Where React is: the rules of hooks build a program of each function, which is slow for files that have none. */
const REACT = ["src/**/*.tsx", "src/**/use*.ts", "src/store/hooks.ts"];
/**
 * Where a promise that nobody awaits would hide a failure. (no-misused-promises finds nothing more here, and takes half
 * of the time.)
 */
const TYPED = ["src/**/*.{ts,tsx}", "test/**/*.{ts,tsx}"];

export default tseslint.config(
  {
    ignores: [
      "dist",
      "docs",
      "node_modules",
      "public",
      "test/golden",
      "test/screenshots",
      ".dependency-cruiser.*",
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: REACT,
    plugins: { "react-hooks": hooks },
    rules: { ...hooks.configs.recommended.rules },
  },
  {
    files: TYPED,
    ignores: ["src/engine/wasm/assembly/**"],
    languageOptions: {
      parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: { "@typescript-eslint/no-floating-promises": "error" },
  },
  {
    files: ["**/*.tsx"],
    ...a11y.flatConfigs.recommended,
    rules: {
      ...a11y.flatConfigs.recommended.rules,
      // What scrolls, and what the arrow keys move about in, must take the focus: as a named region, group, picture or list.
      "jsx-a11y/no-noninteractive-tabindex": [
        "error",
        { roles: ["tabpanel", "region", "group", "img"], tags: ["ol"] },
      ],
      // Keys come to a list or table from the parts of it that have the focus; a click comes from anywhere in it.
      "jsx-a11y/no-noninteractive-element-interactions": [
        "error",
        { handlers: ["onClick", "onMouseDown", "onMouseUp"] },
      ],
    },
  },
  {
    rules: {
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "no-restricted-syntax": ["error", NAMED],
    },
  },
  { files: ["src/**/*.{ts,tsx}"], rules: { "no-restricted-syntax": ["error", NAMED, ...SPREADS] } },
  {
    files: ["test/**/*.{ts,tsx}"],
    ignores: ["**/*.test.ts"],
    rules: { "no-restricted-syntax": ["error", NAMED, HOOKS] },
  },
  // Tools that insist on a default export.
  { files: ["*.config.{js,ts}"], rules: { "no-restricted-syntax": "off" } },
);
