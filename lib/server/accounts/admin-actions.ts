import { makeError } from '@/lib/i18n/t'
import type { AccountRow, ActRows, AuditEntry, Role } from '@/lib/shared/server-facts/account-rows'
import type { Account, AccountContext } from './account-context'
import { createHash } from 'node:crypto'

/** For a proxy that sends no e-mail address: the row needs an address, and no mail reaches this one. */
const NAMELESS = '@header.invalid'
export const namelessAddress = (user: string): string =>
  `${createHash('sha256').update(user).digest('hex').slice(0, 32)}${NAMELESS}`

/** The address, if it is a real one. */
export const shownAddress = (email: string): string | null => (email.endsWith(NAMELESS) ? null : email)

/** Who acts: an administrator's account, or the command line on the server itself. */
export type Actor = Account | 'command'

export interface AccountsPage {
  /** With their effective roles. */
  readonly accounts: readonly Account[]
  /** The number of all matches. */
  readonly total: number
  readonly next: string | null
}

/**
 * Actions that only administrators may do; each one adds a line to the audit log. Every method with an actor refuses
 * one who is not an administrator (AppError `forbidden`), and an unknown account (`not-found`).
 */
export interface AdminActions {
  /** Sorted by address; `after` is the `next` of the previous page. */
  listAccounts(
    actor: Actor,
    query: string,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<AccountsPage>
  /** Refuses to demote the last administrator. */
  setRole(actor: Actor, accountId: string, role: Role): Promise<void>
  /** A disabled account is signed out everywhere at once and can't sign in. Its chats stay. */
  setDisabled(actor: Actor, accountId: string, disabled: boolean): Promise<void>
  /** Returns how many sessions ended. */
  endSessionsOf(actor: Actor, accountId: string): Promise<number>
  deleteAccountOf(actor: Actor, accountId: string): Promise<void>
  /** Display names of the accounts with these ids; deleted accounts are left out. */
  namesOf(actor: Actor, ids: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** Newest first. */
  listAudit(
    actor: Actor,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | null }>
}

export function requireAdmin(actor: Actor): void {
  if (actor !== 'command' && actor.role !== 'admin') throw makeError('forbidden', 'accounts.not-admin')
}

const MOST_ADMINS_LOOKED_AT = 500

/**
 * Refuses an action that would leave no administrator. Checked within the transaction, after any concurrent one has
 * finished. Throws AppError `conflict`.
 */
export async function requireOneAdmin(
  { withRole }: Pick<AccountContext, 'withRole'>,
  acting: Pick<ActRows, 'findAccount' | 'listAccounts'>,
  id: string,
): Promise<void> {
  const row = await acting.findAccount(id)
  if (!row || withRole(row).role !== 'admin') return
  for (let after: string | undefined; ;) {
    const page = await acting.listAccounts('', { limit: MOST_ADMINS_LOOKED_AT, ...(after !== undefined && { after }) })
    const other = page.accounts.some(
      (one) => one.id !== id && one.disabledAt === null && withRole(one).role === 'admin',
    )
    if (other) return
    if (page.next === null) throw makeError('conflict', 'accounts.last-admin')
    after = page.next
  }
}

/** The action as recorded in the audit log. */
type Act = Pick<AuditEntry, 'act' | 'target' | 'detail'>

/**
 * Changes rows and records it in the audit log, in one transaction. `change` returns what to record along with its own
 * result.
 */
export const doAct = <T>(
  { rows, now, newId }: Pick<AccountContext, 'rows' | 'now' | 'newId'>,
  actor: Actor,
  change: (rows: ActRows) => Promise<readonly [Act, T]>,
): Promise<T> =>
  rows.audited(async (acting) => {
    const [act, gives] = await change(acting)
    return { gives, entry: { id: newId(), at: now(), actor: actor === 'command' ? actor : actor.id, ...act } }
  })

/**
 * Records a deletion and disables the account, before anything irreversible is done. If the deletion fails, the account
 * stays disabled and can be deleted again.
 */
export const shutForDeletion = (context: AccountContext, actor: Actor, id: string): Promise<void> =>
  doAct(context, actor, async (acting) => {
    if (actor !== 'command') await requireOneAdmin(context, acting, id)
    await acting.setDisabled(id, context.now())
    await acting.endSessions(id, {})
    return [{ act: 'account-deleted', target: id, detail: {} }, undefined]
  })

export function adminActions(context: AccountContext): AdminActions {
  const { rows, withRole, isAdminAddress, now, forgetOwner } = context

  async function find(actor: Actor, id: string): Promise<AccountRow> {
    requireAdmin(actor)
    const row = await rows.findAccount(id)
    if (!row) throw makeError('not-found', 'accounts.no-account')
    return row
  }
  const keepOne = async (actor: Actor, acting: ActRows, id: string): Promise<void> => {
    if (actor !== 'command') await requireOneAdmin(context, acting, id)
  }

  return {
    async listAccounts(actor, query, page) {
      requireAdmin(actor)
      const found = await rows.listAccounts(query, page)
      return { ...found, accounts: found.accounts.map(withRole) }
    },

    async setRole(actor, id, role) {
      const row = await find(actor, id)
      if (row.role === role && withRole(row).role === role) return
      await doAct(context, actor, async (acting) => {
        if (role === 'user') {
          await keepOne(actor, acting, id)
          if (row.emailProven && isAdminAddress(row.email)) throw makeError('conflict', 'accounts.admin-by-setting')
        }
        await acting.setRole(id, role)
        return [{ act: 'role-set', target: id, detail: { from: row.role, to: role } }, undefined]
      })
    },

    async setDisabled(actor, id, disabled) {
      const row = await find(actor, id)
      if ((row.disabledAt !== null) === disabled) return
      await doAct(context, actor, async (acting) => {
        if (disabled) await keepOne(actor, acting, id)
        await acting.setDisabled(id, disabled ? now() : null)
        if (!disabled) return [{ act: 'account-enabled', target: id, detail: {} }, undefined]
        const sessions = await acting.endSessions(id, {})
        return [{ act: 'account-disabled', target: id, detail: { sessions } }, undefined]
      })
    },

    async endSessionsOf(actor, id) {
      await find(actor, id)
      return doAct(context, actor, async (acting) => {
        const sessions = await acting.endSessions(id, {})
        return [{ act: 'sessions-revoked', target: id, detail: { sessions } }, sessions]
      })
    },

    async deleteAccountOf(actor, id) {
      const row = await find(actor, id)
      await shutForDeletion(context, actor, id)
      await forgetOwner(row.owner)
      await rows.deleteAccount(id, now())
      await forgetOwner(row.owner)
    },

    async namesOf(actor, ids) {
      requireAdmin(actor)
      const found = await Promise.all([...new Set(ids)].map((id) => rows.findAccount(id)))
      return Object.fromEntries(found.flatMap((row) => (row ? [[row.id, shownAddress(row.email) ?? row.name]] : [])))
    },

    async listAudit(actor, page) {
      requireAdmin(actor)
      return rows.listAudit(page)
    },
  }
}
