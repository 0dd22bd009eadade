import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** One name per thing: default exports let every importer choose another. */
const NAMED = { selector: "ExportDefaultDeclaration", message: "Use a named export." };
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

export default tseslint.config(
  { ignores: ["dist", "node_modules", "public", "test/golden", ".dependency-cruiser.*"] },
  ...tseslint.configs.recommended,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": hooks },
    rules: { ...hooks.configs.recommended.rules },
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
  // Tools that insist on a default export.
  { files: ["*.config.{js,ts}"], rules: { "no-restricted-syntax": "off" } },
);
