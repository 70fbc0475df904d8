import { AsyncLocalStorage } from 'node:async_hooks'
import type { AccountRows, InvitationRow, Role } from '@/lib/shared/server-facts/account-rows'

/**
 * What a request that may sign someone up or in knows besides what the library gets: carried to its hooks, which hear of
 * it wherever it makes an account or a session (a form, or a provider's way back).
 */
export interface NewVisitor {
  /** Whose chats a new account takes over; null: no one's. */
  readonly browser: string | null
  readonly role: Role
  readonly invitation: InvitationRow | null
  /** Someone else than the person vouches for the address. */
  readonly emailProven: boolean
  /** Told by the hooks: what was ours to use, and is ours to give back. */
  usedInvitation: boolean
  claimedOwner: boolean
  createdId: string | null
  signedInId: string | null
}

export const newVisitors = new AsyncLocalStorage<NewVisitor>()

/** Anyone who comes, before the library was asked. */
export const newVisitor = (
  browser: string | null,
  { invitation, emailProven = false }: { readonly invitation: InvitationRow | null; readonly emailProven?: boolean },
): NewVisitor => ({
  browser,
  role: invitation?.role ?? 'user',
  invitation,
  emailProven,
  usedInvitation: false,
  claimedOwner: false,
  createdId: null,
  signedInId: null,
})

/** What it took, where no account came of it. */
export async function giveBack(
  { browser, invitation, usedInvitation, claimedOwner, createdId }: NewVisitor,
  rows: Pick<AccountRows, 'giveInvitationBack' | 'giveOwnerBack'>,
): Promise<void> {
  if (createdId !== null) return
  if (invitation && usedInvitation) await rows.giveInvitationBack(invitation.id)
  if (browser !== null && claimedOwner) await rows.giveOwnerBack(browser)
}
