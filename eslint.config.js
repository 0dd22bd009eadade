import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "node_modules", "public", "test/golden"] },
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
      "no-restricted-syntax": [
        "error",
        // One name per thing: default exports let every importer choose another.
        { selector: "ExportDefaultDeclaration", message: "Use a named export." },
      ],
    },
  },
  // Tools that insist on a default export.
  { files: ["*.config.{js,ts}"], rules: { "no-restricted-syntax": "off" } },
);
