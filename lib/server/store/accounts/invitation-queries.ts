import type { ExpressionBuilder, Kysely, Selectable } from 'kysely'
import { isJsonObject } from '@/lib/base/json'
import { SYSTEM_OWNER, type AuditTable, type InvitationTable } from '../ports/account-schema'
import type { AccountRows, AuditEntry, InvitationRow } from '@/lib/shared/server-facts/account-rows'
import type { Schema } from '../ports/schema'

type InvitationQueries = Pick<
  AccountRows,
  | 'addInvitation'
  | 'listInvitations'
  | 'findInvitation'
  | 'useInvitation'
  | 'giveInvitationBack'
  | 'revokeInvitation'
  | 'listAudit'
>

const invitationFromRow = (row: Selectable<InvitationTable>): InvitationRow => ({
  id: row.id,
  kind: row.kind,
  email: row.email,
  role: row.role,
  accountId: row.account_id,
  madeBy: row.made_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  usedAt: row.used_at,
  revokedAt: row.revoked_at,
})

function auditFromRow({ owner: _house, detail, act, ...row }: Selectable<AuditTable>): AuditEntry {
  const value: unknown = JSON.parse(detail)
  return { ...row, act: act as AuditEntry['act'], detail: isJsonObject(value) ? value : {} }
}

/** A cursor that also separates rows of the same millisecond: `<time> <id>`. */
const cursorOf = (time: number, id: string): string => `${time} ${id}`
function beforeCursor(cursor: string): { readonly time: number; readonly id: string } {
  const [time = '', id = ''] = cursor.split(' ')
  return { time: /^\d{1,15}$/.test(time) ? Number(time) : 0, id }
}

/**
 * A link by an administrator stops working when their account is disabled. `made_by` is no account id if the command
 * line created it.
 */
const notByDisabled = (eb: ExpressionBuilder<Schema, 'invitations'>) =>
  eb.not(
    eb.exists(
      eb
        .selectFrom('auth_user')
        .select('auth_user.id')
        .whereRef('auth_user.id', '=', 'invitations.made_by')
        .where('auth_user.disabledAt', 'is not', null),
    ),
  )

/** Rows of the server itself: invitations, and the administrators' audit log. */
export function invitationQueries(db: Kysely<Schema>): InvitationQueries {
  const invitation = (id: string) =>
    db.updateTable('invitations').where('owner', '=', SYSTEM_OWNER).where('id', '=', id)
  return {
    async addInvitation(one, codeHash) {
      await db
        .insertInto('invitations')
        .values({
          owner: SYSTEM_OWNER,
          id: one.id,
          kind: one.kind,
          code_hash: codeHash,
          email: one.email,
          role: one.role,
          account_id: one.accountId,
          made_by: one.madeBy,
          created_at: one.createdAt,
          expires_at: one.expiresAt,
          used_at: one.usedAt,
          revoked_at: one.revokedAt,
        })
        .execute()
    },

    async listInvitations({ limit, after }) {
      const { time, id } = beforeCursor(after ?? '')
      const rows = await db
        .selectFrom('invitations')
        .selectAll()
        .where('owner', '=', SYSTEM_OWNER)
        .$if(after !== undefined, (some) =>
          some.where('created_at', '<=', time).where((eb) => eb.or([eb('created_at', '<', time), eb('id', '<', id)])),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const invitations = rows.slice(0, limit).map(invitationFromRow)
      const last = invitations.at(-1)
      return { invitations, next: rows.length > limit && last ? cursorOf(last.createdAt, last.id) : null }
    },

    async findInvitation(codeHash, now) {
      const row = await db
        .selectFrom('invitations')
        .selectAll()
        .where('owner', '=', SYSTEM_OWNER)
        .where('code_hash', '=', codeHash)
        .where('expires_at', '>', now)
        .where('used_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where(notByDisabled)
        .executeTakeFirst()
      return row ? invitationFromRow(row) : null
    },

    async useInvitation(id, now) {
      const used = await invitation(id)
        .set({ used_at: now })
        .where('used_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .where(notByDisabled)
        .returning('id')
        .execute()
      return used.length > 0
    },

    async giveInvitationBack(id) {
      await invitation(id).set({ used_at: null }).execute()
    },

    async revokeInvitation(id, now) {
      const revoked = await invitation(id)
        .set({ revoked_at: now })
        .where('used_at', 'is', null)
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute()
      return revoked.length > 0
    },

    async listAudit({ limit, after }) {
      const { time, id } = beforeCursor(after ?? '')
      const rows = await db
        .selectFrom('audit')
        .selectAll()
        .where('owner', '=', SYSTEM_OWNER)
        .$if(after !== undefined, (some) =>
          some.where('at', '<=', time).where((eb) => eb.or([eb('at', '<', time), eb('id', '<', id)])),
        )
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const entries = rows.slice(0, limit).map(auditFromRow)
      const last = entries.at(-1)
      return { entries, next: rows.length > limit && last ? cursorOf(last.at, last.id) : null }
    },
  }
}
