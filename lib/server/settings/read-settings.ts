import { t } from '@/lib/i18n/t'
import { readValue, nearestName, readSecretFiles } from './read-value'
import { isSecret, type Setting } from './setting'
import { commandVariables, settingsTable, type Settings } from './settings-table'

type Env = Readonly<Record<string, string | undefined>>

export interface SettingsRead {
  readonly settings: Settings
  /** The environment including the contents of secret files. */
  readonly env: Env
  /** All errors, one sentence each; if there are any, `settings` must not be used. */
  readonly mistakes: readonly string[]
  /** Variables without effect, which are probably typos. */
  readonly warnings: readonly string[]
}
const rows: readonly (readonly [string, Setting])[] = Object.entries(settingsTable)
const names = rows.map(([name]) => name)
const secretNames = rows.filter(([, setting]) => isSecret(setting)).map(([name]) => name)
const known = new Set([...names, ...secretNames.map((name) => `${name}_FILE`), ...commandVariables])

/** Reads every variable of the table strictly, and reports all errors at once. Never throws. */
export function readSettings(given: Env, readFile: (file: string) => string): SettingsRead {
  const { env, mistakes: fileMistakes } = readSecretFiles(given, secretNames, readFile)
  const mistakes = [...fileMistakes]
  const settings: Record<string, unknown> = {}
  for (const [name, setting] of rows) {
    const read = readValue(name, setting, env[name])
    if (read.ok) settings[name] = read.value
    else mistakes.push(read.error)
  }
  const isTold = mistakes.some((mistake) => mistake.startsWith('NOD_SECRET'))
  if (env['DATABASE_URL'] && !env['NOD_SECRET'] && !isTold) mistakes.push(t('variable.secret-missing'))
  // Each name of the table has its value now, unless there is an error for it.
  return { settings: settings as unknown as Settings, env, mistakes, warnings: unknownNames(env) }
}

function unknownNames(env: Env): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('NOD_') && !known.has(name))
    .toSorted()
    .map((name) => t('variable.unknown', { name, nearest: nearestName(name, [...known]) }))
}
