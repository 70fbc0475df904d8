import type { AuditEntry } from '@/lib/store/account-rows'
import { adminSentence as say } from '@/lib/words/admin'

/** One act of an administrator as a sentence; an account that is gone is known by its id alone. */
export function actWords({ actor, act, target, detail }: AuditEntry, names: Readonly<Record<string, string>>): string {
  const nameOf = (id: string) => names[id] ?? say('admin.act.gone', { id })
  const who = actor === 'command' ? say('admin.act.command') : nameOf(actor)
  const whom = actor === target ? say('admin.act.self') : nameOf(target)
  const count = Number(detail['sessions'] ?? 0)
  switch (act) {
    case 'role-set':
      return say(detail['to'] === 'admin' ? 'admin.act.promoted' : 'admin.act.demoted', { who, whom })
    case 'account-disabled':
      return say('admin.act.disabled', { who, whom, count })
    case 'account-enabled':
      return say('admin.act.enabled', { who, whom })
    case 'account-deleted':
      return say('admin.act.deleted', { who, whom })
    case 'sessions-revoked':
      return say('admin.act.signed-out', { who, whom, count })
    case 'invitation-made':
      return detail['kind'] === 'reset'
        ? say('admin.act.reset', { who, whom })
        : say('admin.act.invited', { who, admin: detail['role'] === 'admin' })
    case 'invitation-revoked':
      return say('admin.act.took-back', { who })
  }
}
