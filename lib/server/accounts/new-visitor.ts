import { AsyncLocalStorage } from 'node:async_hooks'
import type { AccountRows, InvitationRow, Role } from '@/lib/shared/server-facts/account-rows'

/**
 * What a request that may sign someone up or in carries in addition to better-auth's input. The hooks read it wherever
 * an account or a session is created (a form, or a provider's callback).
 */
export interface NewVisitor {
  /** The owner whose chats a new account takes over; null: none. */
  readonly browser: string | null
  readonly role: Role
  readonly invitation: InvitationRow | null
  /** A third party vouches for the address. */
  readonly emailProven: boolean
  /** Set by the hooks: used invitations that we must give back if no account is created. */
  usedInvitation: boolean
  claimedOwner: boolean
  createdId: string | null
  signedInId: string | null
}

export const newVisitors = new AsyncLocalStorage<NewVisitor>()

/** A visitor before better-auth was asked. */
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

/** Gives back what was used, if no account was created. */
export async function giveBack(
  { browser, invitation, usedInvitation, claimedOwner, createdId }: NewVisitor,
  rows: Pick<AccountRows, 'giveInvitationBack' | 'giveOwnerBack'>,
): Promise<void> {
  if (createdId !== null) return
  if (invitation && usedInvitation) await rows.giveInvitationBack(invitation.id)
  if (browser !== null && claimedOwner) await rows.giveOwnerBack(browser)
}
