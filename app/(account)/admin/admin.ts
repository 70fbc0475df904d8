import { notFound, redirect } from 'next/navigation'
import type { Account } from '@/lib/accounts/account-context'
import type { Accounts } from '@/lib/accounts/accounts'
import { pageIdentity } from '@/lib/wiring/page-identity.server'

/** Who may see these pages; for everybody else they are not there. */
export async function administrator(path: string): Promise<{ readonly accounts: Accounts; readonly account: Account }> {
  const { accounts, signedIn } = await pageIdentity()
  if (!accounts) notFound()
  if (!signedIn) redirect(`/sign-in?next=${encodeURIComponent(path)}`)
  if (signedIn.account.role !== 'admin') notFound()
  return { accounts, account: signedIn.account }
}

export const PAGE_ROWS = 50
