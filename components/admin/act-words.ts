import { counted } from '@/lib/base/locale'
import type { AuditEntry } from '@/lib/store/account-rows'

/** One act of an administrator as a sentence; an account that is gone is known by its id alone. */
export function actWords({ actor, act, target, detail }: AuditEntry, names: Readonly<Record<string, string>>): string {
  const nameOf = (id: string) => names[id] ?? `an account that is gone (${id})`
  const who = actor === 'command' ? 'The command on the server' : nameOf(actor)
  const whom = actor === target ? 'their own account' : nameOf(target)
  const ended = counted(Number(detail['sessions'] ?? 0), { one: 'browser', other: 'browsers' })
  switch (act) {
    case 'role-set':
      return detail['to'] === 'admin'
        ? `${who} made ${whom} an administrator.`
        : `${who} took administration from ${whom}.`
    case 'account-disabled':
      return `${who} switched ${whom} off; it was signed out of ${ended}.`
    case 'account-enabled':
      return `${who} switched ${whom} on again.`
    case 'account-deleted':
      return `${who} deleted ${whom} with all its chats.`
    case 'sessions-revoked':
      return `${who} signed ${whom} out of ${ended}.`
    case 'invitation-made':
      return detail['kind'] === 'reset'
        ? `${who} made a link with which ${whom} can set a new password.`
        : `${who} made an invitation${detail['role'] === 'admin' ? ' for an administrator' : ''}.`
    case 'invitation-revoked':
      return `${who} took an invitation back.`
  }
}
