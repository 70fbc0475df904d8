import '@/lib/i18n/server-messages'
import path from 'node:path'
import { AppError } from '@/lib/base/app-error'
import { makeError, t } from '@/lib/i18n/t'
import type { AccountRows, SignInMethod } from '@/lib/shared/server-facts/account-rows'
import type { Accounts } from '@/lib/server/accounts/accounts'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Settings } from '@/lib/server/settings/settings-table'
import type { Store } from '@/lib/server/store/ports/store'
import { asStoreError } from '@/lib/server/store/ports/store-error'
import { serverVersion } from '../process/build.server'
import { logProblem } from '../log/log.server'
import { dataDirectory, loadSecret, previousSecrets } from '../requests/owners.server'
import { settingsFrom } from '../settings.server'
import { wallClock } from '@/lib/base/clocks'
import { createHmac, randomBytes } from 'node:crypto'
import { readAccountSettings } from './account-settings'

/** Derived keys, so that a signature for one purpose is invalid for the others. */
const derived = (secret: Uint8Array, what: string): Buffer =>
  createHmac('sha256', secret).update(`nod ${what}`).digest()

/** The accounts of this process; null if `NOD_AUTH` is not set, and then none of their libraries are loaded. */
export async function makeAccounts(
  settings: Settings,
  { store, forgetOwner }: { readonly store: Store; readonly forgetOwner: (owner: string) => Promise<void> },
): Promise<Accounts | null> {
  const chosen = readAccountSettings(settings)
  if (!chosen) return null
  const secretOf = (secret: Uint8Array) => derived(secret, 'accounts').toString('hex')
  const { createAccounts } = await import('@/lib/server/accounts/accounts')
  return createAccounts({
    store,
    settings: chosen,
    secrets: [secretOf(loadSecret(settings)), ...previousSecrets(settings).map(secretOf)],
    now: wallClock,
    newId: () => crypto.randomUUID(),
    newCode: () => randomBytes(24).toString('base64url'),
    log: logProblem,
    after: (ms, task) => void setTimeout(task, ms).unref(),
    forgetOwner,
  })
}

/** By its address, or by the name that the proxy sends. Both are looked up in any case, so that the time tells nothing. */
export async function findReviewer(
  rows: Pick<AccountRows, 'findAccountByEmail' | 'findAccountBySignIn'>,
  address: string,
): Promise<string | null> {
  const [byAddress, byName] = await Promise.all([
    rows.findAccountByEmail(address.toLowerCase()),
    rows.findAccountBySignIn('header' satisfies SignInMethod, address),
  ])
  return (byAddress ?? byName)?.id ?? null
}

/** A page's mark of its owner: distinguishes owners without revealing them. Empty for a browser without an account. */
export const whoMarkOf = (owner: string, secret: Uint8Array): string =>
  derived(secret, `mark ${owner}`).toString('base64url').slice(0, 16)

/*
 * The operator's account commands on the server itself: the first administrator, invitations, forgotten passwords. They
 * open the database like a server, with the same variables, whether or not servers are running.
 */

type Env = Readonly<Record<string, string | undefined>>

const PAGE = 100

async function openStore(settings: Settings): Promise<Store> {
  const options = { decodeSettings: (text: string) => decodeSettings(text), version: serverVersion }
  if (settings.DATABASE_URL) {
    const { openPostgresStore } = await import('@/lib/server/store/postgres/open-postgres-store')
    const onIdleError = (error: unknown) => logProblem('a database connection broke', error)
    return openPostgresStore(settings.DATABASE_URL, { ...options, maxConnections: 2, onIdleError })
  }
  const { openSqliteStore } = await import('@/lib/server/store/sqlite/open-sqlite-store')
  return openSqliteStore(path.join(dataDirectory(settings), 'nod.sqlite'), options)
}

async function idOf(accounts: Accounts, address: string): Promise<string> {
  const wanted = address.trim().toLowerCase()
  const found = await accounts.listAccounts('command', wanted, { limit: PAGE })
  const account = found.accounts.find(({ email }) => email === wanted)
  if (!account) throw makeError('not-found', 'account-command.none', { address })
  return account.id
}

async function list(accounts: Accounts, word: string): Promise<readonly string[]> {
  const lines: string[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await accounts.listAccounts('command', word, { limit: PAGE, ...(after !== undefined && { after }) })
    for (const { email, name, role, disabledAt } of page.accounts) {
      lines.push([email, role, ...(disabledAt === null ? [] : ['off']), name].join('  '))
    }
    after = page.next
  }
  return lines.length === 0 ? [t('account-command.no-accounts')] : lines
}

const usage = () => makeError('bad-request', 'account-command.unknown')

async function act(accounts: Accounts, origin: string, words: readonly string[]): Promise<readonly string[]> {
  const admin = words.includes('--admin')
  const [what, address = '', to, ...more] = words.filter((word) => word !== '--admin')
  if (more.length > 0 || (admin && what !== 'invite') || (to !== undefined && what !== 'role')) throw usage()
  if (address === '' && what !== 'list' && what !== 'invite') throw usage()
  switch (what) {
    case 'list':
      return list(accounts, address)
    case 'invite': {
      const role = admin ? 'admin' : 'user'
      const { code } = await accounts.invite('command', { email: address === '' ? null : address, role })
      return [`${origin}/sign-up?invitation=${code}`]
    }
    case 'reset': {
      const { code } = await accounts.inviteToReset('command', await idOf(accounts, address))
      return [`${origin}/reset-password?code=${code}`]
    }
    case 'role':
      if (to !== 'admin' && to !== 'user') throw usage()
      await accounts.setRole('command', await idOf(accounts, address), to)
      return [t('account-command.role', { address, role: to })]
    case 'off':
    case 'on':
      await accounts.setDisabled('command', await idOf(accounts, address), what === 'off')
      return [t(what === 'off' ? 'account-command.off' : 'account-command.on', { address })]
    case 'out': {
      const sessions = await accounts.endSessionsOf('command', await idOf(accounts, address))
      return [t('account-command.out', { sessions, address })]
    }
    default:
      throw usage()
  }
}

/** Runs the command and returns the text to print. Throws AppError with a sentence, and database errors. */
export async function runAccountsCommand(words: readonly string[], env: Env): Promise<readonly string[]> {
  const { settings } = settingsFrom(env)
  if (settings.NOD_AUTH.length === 0) throw makeError('bad-request', 'account-command.no-auth')
  const store = await openStore(settings)
  try {
    // None of these commands deletes an account.
    const accounts = await makeAccounts(settings, { store, forgetOwner: () => Promise.resolve() })
    if (!accounts) throw makeError('bad-request', 'account-command.no-auth')
    const origin = settings.NOD_PUBLIC_URL ?? originOf(settings)
    return await act(accounts, `${origin}${settings.NOD_BASE_PATH?.replace(/\/+$/, '') ?? ''}`, words)
  } finally {
    await store.close()
  }
}

/** The server's URL for browsers, as far as the settings tell. */
const originOf = ({ NOD_ALLOWED_HOSTS: [name], PORT }: Settings): string =>
  name === undefined || /^(?:localhost|127\.)/.test(name) ? `http://localhost:${PORT}` : `https://${name}`

/** The command line: prints the result and returns the exit code. `called`: the command's name in this environment. */
export async function accountsMain(words: readonly string[], env: Env, called: string): Promise<number> {
  const help = t('account-command.usage', { called })
  if (words.length === 0 || words.some((word) => word === '--help' || word === '-h' || word === 'help')) {
    console.log(help)
    return 0
  }
  try {
    for (const line of await runAccountsCommand(words, env)) console.log(line)
    return 0
  } catch (error) {
    const known = error instanceof AppError ? error : asStoreError(error)
    console.error(known?.message ?? error)
    if (known?.reason === 'account-command.unknown') console.error(help)
    return known?.code === 'bad-request' || known?.reason === 'variable.wrong' ? 2 : 1
  }
}
