import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { formatted } from '../setup/formatted.mjs'
import { settingsFile, settingsPage, withSettings } from './settings-page'

/*
 * Every variable that the server reads:
 *
 *   npm run -s generate -- settings           prints the tables
 *   npm run generate -- settings --write      writes the tables into docs/generated/settings.md
 *
 * Anything else: one line on stderr, exit 2.
 */

const [option, ...more] = process.argv.slice(2)

if (more.length > 0 || (option !== undefined && option !== '--write')) {
  process.stderr.write('settings: usage: settings [--write]\n')
  process.exitCode = 2
} else if (option === undefined) {
  process.stdout.write(`${settingsPage('hosting')}\n\n${settingsPage('models')}\n`)
} else {
  const file = path.resolve(import.meta.dirname, '../..', settingsFile)
  await writeFile(file, await formatted(file, withSettings(await readFile(file, 'utf8'))))
}
