/*
 * What remains of the style sheets from before the look was utilities: nothing is added to them, and the last one takes
 * the cascade layer `legacy` along. The number is how many lines each may have.
 */
export const legacySheets: Readonly<Record<string, number>> = {
  'app/styles/card.css': 468,
  'app/styles/dialog.css': 23,
  'app/styles/legacy.css': 102,
  'app/styles/messages.css': 35,
  'app/styles/narrow.css': 106,
  'app/styles/settings.css': 201,
  'app/styles/short.css': 12,
  'components/log/log.css': 69,
  'components/settings/settings.css': 164,
  'components/tool-call/changed-files.css': 40,
  'components/tool-call/tool-call.css': 460,
}

/** Style sheets for what utilities can't say, one idea each; docs/styling.md says which. */
export const keptSheets: readonly string[] = [
  'app/globals.css',
  'app/styles/base.css',
  'app/styles/code-colours.css',
  'app/styles/prose.css',
  'app/styles/theme.css',
]

/** Lines of CSS that the whole product may have once no legacy sheet is left. */
export const longestStyles = 1_200

/** Classes without a look, in areas whose sheets are still legacy: each goes with its sheet. */
export const hooks: ReadonlySet<string> = new Set(['chip', 'form-check', 'prompts', 'quote', 'raw', 'table-view'])
