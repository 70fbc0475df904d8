import { createHash, randomBytes } from 'node:crypto'
import type { AccountSettings } from '@/lib/shared/server-facts/account-rows'
import { createAccounts, type Accounts } from '@/lib/server/accounts/accounts'
import type { PasswordHashes } from '@/lib/server/accounts/make-auth'
import { createOwners } from '@/lib/server/quota/owner'
import { createOwnRate } from '@/lib/server/quota/rate'
import { createChatHarness, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type { Store } from '@/lib/server/store/ports/store'
import { findReviewer, whoMarkOf } from '@/lib/server/wiring/accounts/accounts-command.server'
import { setServer } from '@/lib/server/wiring/server'
import { sendTo, type Handler, type Sent } from './send'

const secret = new Uint8Array(32).fill(7)
const owners = createOwners({ secret, newId: () => crypto.randomUUID(), now: Date.now })

export const passwordOnly: AccountSettings = {
  ways: new Set(['password']),
  inviteOnly: false,
  anonymous: true,
  admins: [],
  publicUrl: null,
  oidc: null,
  header: null,
}

export interface AccountServer {
  readonly accounts: Accounts
  readonly chat: ChatHarness
  /** Problems that the accounts logged. */
  readonly problems: string[]
}

/** Scrypt would take most of these tests' time; auth-tables.test.ts tests that it protects the passwords. */
const quickHashes: PasswordHashes = {
  hash: (password) => Promise.resolve(createHash('sha256').update(`test ${password}`).digest('hex')),
  verify: async ({ hash, password }) => hash === (await quickHashes.hash(password)),
}

/** Replaces this process's server with one that has accounts; a second one on the same store is a second node. */
export function useAccounts(
  store: Store,
  settings: AccountSettings,
  options: { readonly secrets?: readonly [string, ...(readonly string[])]; readonly now?: () => number } = {},
): AccountServer {
  const chat = createChatHarness(store, { findReviewer: (address) => findReviewer(store.accounts, address) })
  const problems: string[] = []
  const accounts = createAccounts({
    store,
    settings,
    passwords: quickHashes,
    secrets: options.secrets ?? ['the secret of these tests, long enough to sign'],
    now: options.now ?? Date.now,
    after: (ms, task) => void chat.clock.after(ms, task),
    newId: () => crypto.randomUUID(),
    newCode: () => randomBytes(24).toString('base64url'),
    log: (what) => problems.push(what),
    async forgetOwner(owner) {
      for (const { id } of await store.listConversations(owner, '', 100)) await store.deleteConversation(owner, id)
    },
  })
  setServer({
    service: chat.service,
    store,
    owners,
    rateLimit: createOwnRate({ burst: 10_000, perSecond: 1, monotonic: () => 0 }),
    accounts,
    mark: (owner) => whoMarkOf(owner, secret),
  })
  return { accounts, chat, problems }
}

/** A browser: stores cookies and sends them. */
export class TestBrowser {
  readonly cookies = new Map<string, string>()
  readonly headers: Readonly<Record<string, string>>
  constructor(headers: Readonly<Record<string, string>> = {}) {
    this.headers = headers
  }

  async send(handler: Handler, sent: Sent = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await sendTo(handler, {
      ...sent,
      cookie: cookie === '' ? null : cookie,
      headers: { ...this.headers, ...sent.headers },
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }
  #keep(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    if (/max-age=0\b/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(at + 1))
  }
}
