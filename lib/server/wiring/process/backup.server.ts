import '@/lib/i18n/server-messages'
import { wallClock } from '@/lib/base/clocks'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '@/lib/base/app-error'
import { makeError, t } from '@/lib/i18n/t'
import { formatNumber, formatBytes } from '@/lib/base/text/locale'
import type { Settings } from '@/lib/server/settings/settings-table'
import { makeDataFolder } from '@/lib/server/store/database/disk-space-watch'
import { readBackupFile, writeBackupFile, writeZipped, writeBackup } from '@/lib/server/store/backup/backup-file'
import { makeDatabase, openPlainDatabase, type DatabaseLocation } from '@/lib/server/store/open-database'
import { checkBackup, restoreBackup, type RestoredBackup } from '@/lib/server/store/backup/restore-backup'
import { asStoreError } from '@/lib/server/store/ports/store-error'
import { dataDirectory } from '../requests/owners.server'
import { settingsFrom } from '../settings.server'

/*
 * Implements `npm run backup`, and `backup.cjs` of a release: on the configured database, while servers use it (a
 * backup) or before any server does (a restore).
 */

type Env = Readonly<Record<string, string | undefined>>
const commands = ['backup', 'restore', 'check'] as const
export type BackupCommand = (typeof commands)[number]

const placeOf = (settings: Settings): DatabaseLocation =>
  settings.DATABASE_URL
    ? { kind: 'postgres', url: settings.DATABASE_URL }
    : { kind: 'sqlite', file: path.join(dataDirectory(settings), 'nod.sqlite') }

/**
 * Runs the command and returns the text to print. Throws AppError with a sentence, and file system or database errors.
 */
export async function runBackupCommand(
  command: BackupCommand,
  named: string | undefined,
  env: Env,
  now: () => number,
): Promise<readonly string[]> {
  const { settings } = settingsFrom(env)
  if (command === 'backup') return backUp(settings, named ?? `nod-${stampOf(now())}.jsonl.gz`, now())
  if (named === undefined) throw makeError('bad-request', 'backup.no-name')
  if (command === 'check') return [t('backup.whole', countsOf(await checkBackup(readBackupFile(named))))]
  return restore(settings, named)
}

/** As a file name: writes the backup to standard output. */
const STDOUT = '-'

const toStdout = (piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(piece, (error) => (error ? reject(error) : resolve()))
  })

async function backUp(settings: Settings, file: string, at: number): Promise<readonly string[]> {
  const place = placeOf(settings)
  const db = openPlainDatabase(place)
  const secretFile = secretFileOf(settings)
  const secret = secretFile !== null && existsSync(secretFile) ? readFileSync(secretFile, 'utf8').trim() : undefined
  try {
    const about = { at, store: place.kind, ...(secret !== undefined && { secret }) }
    const lines = writeBackup(db, about)
    const { rows, tables, bytes } = await (file === STDOUT
      ? writeZipped(lines, toStdout)
      : writeBackupFile(file, lines))
    return [
      t('backup.done', { rows: formatNumber(rows), tables, file, bytes: formatBytes(bytes) }),
      t(secret === undefined ? 'backup.secret-out' : 'backup.secret-in'),
    ]
  } finally {
    await db.destroy()
  }
}

async function restore(settings: Settings, file: string): Promise<readonly string[]> {
  const place = placeOf(settings)
  const db = makeDatabase(place)
  try {
    const restored = await restoreBackup(db, place.kind, () => readBackupFile(file))
    const sentences = [t('backup.restored', countsOf(restored))]
    const secretFile = secretFileOf(settings)
    const { secret } = restored.head
    if (secret === undefined) return [...sentences, t('backup.secret-out')]
    if (secretFile === null || existsSync(secretFile)) {
      const own = secretFile === null ? settings.NOD_SECRET : readFileSync(secretFile, 'utf8').trim()
      if (own === secret || settings.NOD_SECRET_PREVIOUS.includes(secret)) return sentences
      return [...sentences, t('backup.secret-other', { file })]
    }
    makeDataFolder(path.dirname(secretFile))
    writeFileSync(secretFile, `${secret}\n`, { mode: 0o600, flag: 'wx' })
    return [...sentences, t('backup.secret-kept', { file: secretFile })]
  } finally {
    await db.destroy()
  }
}

/** The file of the generated secret; null if the operator provides one. */
const secretFileOf = (settings: Settings): string | null =>
  settings.NOD_SECRET || settings.DATABASE_URL ? null : path.join(dataDirectory(settings), 'secret')

const countsOf = ({ rows, tables, head }: RestoredBackup) => ({
  rows: formatNumber(rows),
  tables,
  at: new Date(head.at).toISOString(),
})

/** `2026-11-22-0905`, in UTC. */
const stampOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', '-').replace(':', '')

/** The command line: prints the result and returns the exit code. */
export async function backupMain([named = 'backup', ...args]: readonly string[], env: Env): Promise<number> {
  if (named === '--help' || named === '-h' || named === 'help') {
    console.log(t('backup.usage'))
    return 0
  }
  try {
    const command = commands.find((one) => one === named)
    if (!command || args.length > 1) throw makeError('bad-request', 'backup.usage')
    const result = await runBackupCommand(command, args[0], env, wallClock)
    // Standard output may be the backup itself.
    for (const line of result) (args[0] === STDOUT ? console.error : console.log)(line)
    return 0
  } catch (error) {
    const known = error instanceof AppError ? error : asStoreError(error)
    console.error(known?.message ?? error)
    return known?.code === 'bad-request' ? 2 : 1
  }
}
