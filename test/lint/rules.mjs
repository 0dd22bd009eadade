/** The project's own rules of lint, as a plugin of oxlint: `.oxlintrc.json` says where each is on. */

/** @param {string} message @param {string} selector of the constructs that are not allowed */
const forbid = (message, selector) => ({
  create: (/** @type {any} */ context) => ({
    [selector]: (/** @type {unknown} */ node) => context.report({ node, message }),
  }),
});

export default {
  meta: { name: "turnbook" },
  rules: {
    // A worker loads a shared module once for several test files, so hooks at its top would serve the first file only.
    "shared-hooks": forbid(
      "Register hooks in a function that every test file calls.",
      "Program > ExpressionStatement > CallExpression[callee.name=/^(before|after)(Each|All)$/]",
    ),
    // Each item of a spread list takes a place on the stack: 65,000 of them overflow it.
    "spread-in-extreme": forbid(
      "A long list overflows the stack: use greatest or least of src/numeric/lists.ts.",
      "CallExpression[callee.object.name='Math'][callee.property.name=/^(max|min|hypot)$/] > SpreadElement",
    ),
    "spread-in-push": forbid(
      "A long list overflows the stack: use append of src/numeric/lists.ts.",
      "CallExpression[callee.property.name=/^(push|unshift|splice)$/] > SpreadElement",
    ),
    "spread-in-text": forbid(
      "A long list overflows the stack: use textOfCodes of src/numeric/lists.ts, or from.",
      "CallExpression[callee.property.name=/^(fromCharCode|fromCodePoint|of)$/] > SpreadElement",
    ),
  },
};
