import { wallClock } from '@/lib/base/clocks'
import { createHmac, randomBytes } from 'node:crypto'
import type { Accounts } from '@/lib/server/accounts/accounts'
import type { Settings } from '@/lib/server/settings/settings-table'
import type { Store } from '@/lib/server/store/ports/store'
import { readAccountSettings } from './account-settings'
import { logProblem } from '../log/log.server'
import { loadSecret, previousSecrets } from '../requests/owners.server'

/** Derived, so that what one of them signs is nothing to the others. */
const derived = (secret: Uint8Array, what: string): Buffer =>
  createHmac('sha256', secret).update(`nod ${what}`).digest()

/** The accounts of this process; null where `NOD_AUTH` is not set, and then nothing of what they stand on is loaded. */
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

/** What a page may know of its owner: it tells one from another, and gives nothing away. Empty for a browser without account. */
export const whoMarkOf = (owner: string, secret: Uint8Array): string =>
  derived(secret, `mark ${owner}`).toString('base64url').slice(0, 16)
