import { wallClock } from '@/lib/base/clocks'
import { createHash } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import { createOwners, type Owners } from '@/lib/server/quota/owner'
import { createAccess, type Access } from '@/lib/server/http/access'
import type { Settings } from '@/lib/server/settings/settings-table'
import { makeDataFolder } from '@/lib/server/store/database/disk-space-watch'
import { serverSettings, settingsOrThrow } from '../settings.server'

/* Small on purpose: the proxy imports it too, and must not pull in the whole server. */

/**
 * The folder of SQLite and the generated secret. The comment keeps the bundler from tracing the whole folder into the
 * build.
 */
export const dataDirectory = (settings: Pick<Settings, 'NOD_DATA_DIR'>): string =>
  path.resolve(/* turbopackIgnore: true */ settings.NOD_DATA_DIR)

/**
 * The secret that signs owner cookies and result frames: `NOD_SECRET`, or generated once in the data folder. Throws
 * AppError `unavailable` with what to do. Concurrent starts agree on one: the file is created atomically.
 */
export const loadSecret = (settings: Pick<Settings, 'NOD_SECRET' | 'NOD_DATA_DIR'>): Uint8Array =>
  keyOf(settings.NOD_SECRET ?? readOrMakeSecret(dataDirectory(settings)))

/** `NOD_SECRET_PREVIOUS`, of any length: their signatures are still accepted. */
export const previousSecrets = (settings: Pick<Settings, 'NOD_SECRET_PREVIOUS'>): readonly Uint8Array[] =>
  settings.NOD_SECRET_PREVIOUS.map(keyOf)

/** The check for `NOD_ACCESS_TOKEN`; null if it is not set. */
export const loadAccess = (
  settings: Pick<Settings, 'NOD_ACCESS_TOKEN' | 'NOD_SECRET' | 'NOD_DATA_DIR'>,
): Access | null =>
  settings.NOD_ACCESS_TOKEN === null ? null : createAccess(settings.NOD_ACCESS_TOKEN, loadSecret(settings))

/** 32 bytes from a secret of any length. */
const keyOf = (secret: string): Uint8Array => createHash('sha256').update(secret).digest()

function readOrMakeSecret(dir: string): string {
  const file = path.join(dir, 'secret')
  try {
    return readSecret(file) ?? makeSecret(dir, file)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw makeError('unavailable', 'server.folder-not-writable', { folder: dir }, { cause })
  }
}

function readSecret(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text.length >= 32) return text
    throw makeError('unavailable', 'server.secret-damaged', { file })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function makeSecret(dir: string, file: string): string {
  makeDataFolder(dir)
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const draft = `${file}.${process.pid}.${crypto.randomUUID()}`
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, file)
    return secret
  } catch (error) {
    // Another process created it first.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return readSecret(file) ?? secret
    // A file system without hard links: another process that starts at this moment could read half of it.
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
    return secret
  } finally {
    rmSync(draft, { force: true })
  }
}

let owners: Result<Owners, AppError> | null = null

/** The owners of this process. An error (no secret) is a sentence for the operator, and the next call tries again. */
export function serverOwners(): Result<Owners, AppError> {
  if (owners?.ok) return owners
  try {
    const settings = settingsOrThrow()
    const secret = loadSecret(settings)
    owners = ok(
      createOwners({
        secret,
        previousSecrets: previousSecrets(settings),
        newId: () => crypto.randomUUID(),
        now: wallClock,
      }),
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    owners = err(error)
  }
  return owners
}

let access: { readonly token: string | null; readonly result: Result<Access | null, AppError> } | null = null

/** The access check of this process, or why nobody can be admitted. */
export function serverAccess(): Result<Access | null, AppError> {
  const settings = serverSettings()
  if (!settings.ok) return settings
  const token = settings.value.NOD_ACCESS_TOKEN
  if (access?.result.ok && access.token === token) return access.result
  try {
    access = { token, result: ok(loadAccess(settings.value)) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    access = { token, result: err(error) }
  }
  return access.result
}
