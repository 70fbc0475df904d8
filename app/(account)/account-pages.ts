import { notFound, redirect } from 'next/navigation'
import type { Account } from '@/lib/server/accounts/account-context'
import type { Accounts } from '@/lib/server/accounts/accounts'
import { pageIdentity } from '@/lib/server/wiring/requests/page-identity.server'

export interface PageQuery {
  readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>
}

/** One value of the address; null where it is missing, or there are several. */
export const textOf = (value: string | readonly string[] | undefined): string | null =>
  typeof value === 'string' ? value : null

/** Who may see these pages; for everyone else they are not there. */
export async function administrator(path: string): Promise<{ readonly accounts: Accounts; readonly account: Account }> {
  const { accounts, signedIn } = await pageIdentity()
  if (!accounts) notFound()
  if (!signedIn) redirect(`/sign-in?next=${encodeURIComponent(path)}`)
  if (signedIn.account.role !== 'admin') notFound()
  return { accounts, account: signedIn.account }
}

export const PAGE_ROWS = 50
