import { AppError } from '@/lib/base/app-error'
import type { Accounts } from '@/lib/accounts/accounts'
import { makeServer } from '@/lib/wiring/make-server'
import { settingsFrom } from '@/lib/wiring/settings.server'

/*
 * What an operator does about accounts on the machine itself: the first administrator, invitations, forgotten passwords. It opens
 * the database as a server does, by the same variables, beside servers that run.
 */

const usage = `npm run accounts -- list [WORD]             accounts whose name or address holds the word
npm run accounts -- invite [ADDRESS] [--admin]  a link to sign up with, for seven days
npm run accounts -- reset ADDRESS               a link to set a new password, for a day
npm run accounts -- role ADDRESS admin|user
npm run accounts -- off ADDRESS | on ADDRESS    switch an account off, and on again
npm run accounts -- out ADDRESS                 end all its sessions`

const PAGE = 100

async function idOf(accounts: Accounts, address: string): Promise<string> {
  const wanted = address.trim().toLowerCase()
  const found = await accounts.listAccounts('command', wanted, { limit: PAGE })
  const account = found.accounts.find(({ email }) => email === wanted)
  if (!account) throw new Error(`There is no account under ${address}.`)
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
  return lines.length === 0 ? ['No accounts.'] : lines
}

/** Does what was asked and gives what to print. */
async function run(accounts: Accounts, origin: string, words: readonly string[]): Promise<readonly string[]> {
  const admin = words.includes('--admin')
  const [act, address = '', to] = words.filter((word) => word !== '--admin')
  switch (act) {
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
      if (to !== 'admin' && to !== 'user') throw new Error(usage)
      await accounts.setRole('command', await idOf(accounts, address), to)
      return [`${address} is ${to} now.`]
    case 'off':
    case 'on':
      await accounts.setDisabled('command', await idOf(accounts, address), act === 'off')
      return [`${address} is ${act} now.`]
    case 'out':
      return [`${await accounts.endSessionsOf('command', await idOf(accounts, address))} sessions of ${address} ended.`]
    default:
      throw new Error(usage)
  }
}

const words = process.argv.slice(2)
try {
  const { settings } = settingsFrom(process.env)
  const server = await makeServer(process.env)
  try {
    const { accounts } = server
    if (!accounts) throw new Error('NOD_AUTH is not set, so this server has no accounts. Set it as for the server.')
    const origin = settings.NOD_PUBLIC_URL ?? `http://localhost:${settings.PORT}`
    console.log((await run(accounts, origin, words)).join('\n'))
  } finally {
    await server.dispose()
  }
} catch (error) {
  const isPlain = error instanceof AppError || (error instanceof Error && error.constructor === Error)
  console.error(isPlain ? error.message : error)
  process.exitCode = 1
}
