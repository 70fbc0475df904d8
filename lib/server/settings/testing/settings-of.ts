import { readFileSync } from 'node:fs'
import { readSettings } from '../read-settings'
import type { Settings } from '../settings-table'

/** Reads the settings of a valid environment; throws if it is invalid. */
export function settingsOf(env: Readonly<Record<string, string>>): Settings {
  const { settings, mistakes } = readSettings(env, (file) => readFileSync(file, 'utf8'))
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  return settings
}
