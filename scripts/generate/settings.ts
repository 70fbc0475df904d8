import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { settingsPage, withSettings } from '@/lib/settings/settings-page'

/*
 * Every variable that the server reads:
 *
 *   npm run -s generate -- settings              the tables
 *   npm run -s generate -- settings --write   those of docs/hosting.md and docs/models.md are written anew
 *
 * Anything else: one line on stderr, exit 2.
 */

const pages = ['hosting', 'models'] as const
const [option, ...more] = process.argv.slice(2)

if (more.length > 0 || (option !== undefined && option !== '--write')) {
  process.stderr.write('settings: usage: settings [--write]\n')
  process.exitCode = 2
} else {
  for (const page of pages) {
    if (option === undefined) {
      process.stdout.write(`${settingsPage(page)}\n\n`)
      continue
    }
    const file = path.resolve(import.meta.dirname, `../docs/${page}.md`)
    const style = { ...(await resolveConfig(file)), parser: 'markdown' }
    await writeFile(file, await format(withSettings(await readFile(file, 'utf8'), page), style))
  }
}
