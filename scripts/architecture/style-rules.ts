/*
 * What remains of the style sheets from before the look was utilities: nothing is added to them, and the last one takes
 * the cascade layer `legacy` along. The number is how many lines each may have.
 */
export const legacySheets: Readonly<Record<string, number>> = {
  'app/styles/card.css': 164,
  'app/styles/legacy.css': 94,
  'app/styles/narrow.css': 25,
  'app/styles/settings.css': 176,
  'components/log/log.css': 66,
  'components/settings/settings.css': 164,
}

/** Style sheets for what utilities can't say, one idea each; docs/styling.md says which. */
export const keptSheets: readonly string[] = [
  'app/globals.css',
  'app/styles/base.css',
  'app/styles/code-colours.css',
  'app/styles/prose.css',
  'app/styles/theme.css',
]

/** The whole product has fewer lines of CSS. */
export const longestStyles = 1_200

/** Classes without a look: words that others stand beside, and those of areas whose sheets are still legacy. */
export const hooks: ReadonlySet<string> = new Set([
  'chip',
  'form-check',
  'prompts',
  'quote',
  'raw',
  'stack',
  'table-view',
])
