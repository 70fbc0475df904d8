/** Style sheets for what utilities can't express, one topic each; docs/internals/styling.md lists them. */
export const allowedStyleSheets: readonly string[] = [
  'app/globals.css',
  'app/styles/base.css',
  'app/styles/code-colours.css',
  'app/styles/prose.css',
  'app/styles/theme.css',
]

/** The most lines of CSS in the whole product. */
export const longestStyles = 500

/** Classes without styles of their own; other selectors use them. */
export const hooks: ReadonlySet<string> = new Set(['stack'])
