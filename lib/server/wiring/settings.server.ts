import '@/lib/i18n/server-messages'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { AppError } from '@/lib/base/app-error'
import { err, ok, type Result } from '@/lib/base/result'
import { readBind, type Bind } from '@/lib/server/http/bind'
import { readSettings, type SettingsRead } from '@/lib/server/settings/read-settings'
import type { Settings } from '@/lib/server/settings/settings-table'
import { makeError } from '@/lib/i18n/t'
import { accountMistakes } from './accounts/account-settings'

type Env = Readonly<Record<string, string | undefined>>

/* Small on purpose: the proxy imports it too. The only place that reads the environment for the server. */

export const readSecretFile = (file: string): string =>
  readFileSync(path.resolve(/* turbopackIgnore: true */ file), 'utf8')

/** Reads each variable, then checks combinations. */
function readAll(env: Env): SettingsRead {
  const read = readSettings(env, readSecretFile)
  return read.mistakes.length > 0 ? read : { ...read, mistakes: accountMistakes(read.settings) }
}

/** Reads an environment. Throws AppError `unavailable` with every error in it. */
export function settingsFrom(env: Env): SettingsRead {
  const read = readAll(env)
  if (read.mistakes.length > 0) throw makeError('unavailable', 'variable.wrong', { mistakes: read.mistakes })
  return read
}

/** On globalThis: the proxy, the routes and the start are separate bundles, but files are read once. */
const key = Symbol.for('nod.settings')
const slot = globalThis as typeof globalThis & { [key]?: SettingsRead }

/** The settings of this process, with their errors. */
export const readServerSettings = (): SettingsRead => (slot[key] ??= readAll(process.env))

/** The settings of this process; the error contains no details for visitors. A start with errors has already ended. */
export function serverSettings(): Result<Settings, AppError> {
  const { settings, mistakes } = readServerSettings()
  return mistakes.length === 0 ? ok(settings) : err(makeError('unavailable', 'server.settings-wrong'))
}

/** The settings, for callers that handle errors. Throws AppError `unavailable`. */
export function settingsOrThrow(): Settings {
  const settings = serverSettings()
  if (!settings.ok) throw settings.error
  return settings.value
}

/** The host names of this process. Throws AppError `unavailable`. */
export const serverBind = (): Bind => readBind(settingsOrThrow())

/** Makes the environment be read again; for tests, which change it. */
export function forgetSettings(): void {
  delete slot[key]
}
