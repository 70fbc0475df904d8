/** Style sheets for what utilities can't say, one idea each; docs/internals/styling.md says which. */
export const keptSheets: readonly string[] = [
  'app/globals.css',
  'app/styles/base.css',
  'app/styles/code-colours.css',
  'app/styles/prose.css',
  'app/styles/theme.css',
]

/** The whole product has fewer lines of CSS. */
export const longestStyles = 500

/** Classes without a look of their own: others are beside them. */
export const hooks: ReadonlySet<string> = new Set(['stack'])
