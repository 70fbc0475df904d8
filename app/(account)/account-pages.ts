import { notFound, redirect } from 'next/navigation'
import type { Account } from '@/lib/server/accounts/account-context'
import type { Accounts } from '@/lib/server/accounts/accounts'
import { pageIdentity } from '@/lib/server/wiring/requests/page-identity.server'

export interface PageQuery {
  readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>
}

/** A parameter of the address; null if it is missing or repeated. */
export const textOf = (value: string | readonly string[] | undefined): string | null =>
  typeof value === 'string' ? value : null

/** Returns the signed-in administrator; everyone else gets "not found". */
export async function administrator(path: string): Promise<{ readonly accounts: Accounts; readonly account: Account }> {
  const { accounts, signedIn } = await pageIdentity()
  if (!accounts) notFound()
  if (!signedIn) redirect(`/sign-in?next=${encodeURIComponent(path)}`)
  if (signedIn.account.role !== 'admin') notFound()
  return { accounts, account: signedIn.account }
}

export const PAGE_ROWS = 50
