import { durationText } from './read-value'
import { isSecret, type Setting } from './setting'
import { settingsTable } from './settings-table'

const rows: readonly (readonly [string, Setting])[] = Object.entries(settingsTable)

/** The table of one page, as Markdown. */
export function settingsPage(page: Setting['page']): string {
  const lines = rows
    .filter(([, setting]) => setting.page === page)
    .map(
      ([name, setting]) =>
        `| ${[nameCell(name, setting), defaultCell(setting), setting.meaning, setting.who].join(' | ')} |`,
    )
  return ['| variable | default | what it does | for |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

const nameCell = (name: string, setting: Setting): string =>
  isSecret(setting) ? `\`${name}\` _(file)_` : `\`${name}\``

function defaultCell(setting: Setting): string {
  if (setting.otherwise !== undefined) return setting.otherwise
  if (!('default' in setting) || setting.default === undefined) return ''
  if (setting.kind === 'flag') return setting.default ? '`on`' : '`off`'
  if (setting.kind === 'duration') return `\`${durationText(setting.default)}\``
  return `\`${setting.default}\``
}

const marks = { from: '<!-- settings: written by `npm run generate -- settings --write` -->', to: '<!-- /settings -->' }

/** A page with its table in place of the one between the marks. Throws where the page has lost them. */
export function withSettings(text: string, page: Setting['page']): string {
  const from = text.indexOf(marks.from)
  const to = text.indexOf(marks.to)
  if (from === -1 || to < from) throw new Error(`docs/${page}.md has lost the marks around its settings`)
  return `${text.slice(0, from + marks.from.length)}\n\n${settingsPage(page)}\n\n${text.slice(to)}`
}
