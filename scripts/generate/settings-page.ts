import { durationText } from '@/lib/server/settings/read-settings'
import { isSecret, type Setting } from '@/lib/server/settings/setting'
import { settingsTable } from '@/lib/server/settings/settings-table'

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

export const settingsFile = 'docs/generated/settings.md'

const begin = (page: Setting['page']): string => `<!-- settings of ${page}: npm run generate -- settings --write -->`
const END = '<!-- /settings -->'

/** The page with both tables replaced between their marks. Throws if a mark is missing. */
export function withSettings(text: string): string {
  return (['hosting', 'models'] as const).reduce((page, name) => {
    const from = page.indexOf(begin(name))
    const to = page.indexOf(END, from)
    if (from === -1 || to === -1)
      throw new Error(`the marks around the settings of ${name} are missing in ${settingsFile}`)
    return `${page.slice(0, from + begin(name).length)}\n\n${settingsPage(name)}\n\n${page.slice(to)}`
  }, text)
}
