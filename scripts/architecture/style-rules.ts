/*
 * What remains of the style sheets from before the look was utilities: nothing is added to them, and the last one takes
 * the cascade layer `legacy` along. The number is how many lines each may have.
 */
export const legacySheets: Readonly<Record<string, number>> = {
  'app/styles/bench.css': 142,
  'app/styles/card.css': 176,
  'app/styles/dialog.css': 23,
  'app/styles/frame.css': 45,
  'app/styles/legacy.css': 110,
  'app/styles/narrow.css': 72,
  'app/styles/settings.css': 176,
  'app/styles/short.css': 22,
  'components/conversations/brought-along.css': 33,
  'components/files/attach/attach.css': 160,
  'components/files/changes.css': 197,
  'components/files/viewer/file-view.css': 242,
  'components/files/workspace.css': 374,
  'components/files/zip/import-zip-dialog.css': 44,
  'components/log/log.css': 66,
  'components/playground/playground.css': 532,
  'components/schema-form/schema-form.css': 35,
  'components/settings/settings.css': 164,
  'components/ui/foreign/foreign.css': 32,
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
export const hooks: ReadonlySet<string> = new Set([
  'binary-view',
  'chip',
  'form-check',
  'prompts',
  'quote',
  'raw',
  'table-view',
])
