import { AsyncLocalStorage } from 'node:async_hooks'
import type { InvitationRow, Role } from '@/lib/store/account-rows'

/**
 * What a request that may sign somebody up or in knows besides what the library is told: carried to its hooks, which hear of
 * it wherever it makes an account or a session (a form, or a provider's way back).
 */
export interface Newcomer {
  /** Whose chats a new account takes over. */
  readonly owner: string
  readonly role: Role
  readonly invitation: InvitationRow | null
  /** Somebody else than the person vouches for the address. */
  readonly emailProven: boolean
  /** Told by the hooks: it was ours to use, and is ours to give back. */
  usedInvitation: boolean
  createdId: string | null
  signedInId: string | null
}

export const newcomers = new AsyncLocalStorage<Newcomer>()
