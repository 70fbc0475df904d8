import type { AuditEntry } from '@/lib/shared/server-facts/account-rows'
import { t } from '@/lib/i18n/t'

/** One act of an administrator as a sentence; an account that is gone is known by its id alone. */
export function actWords({ actor, act, target, detail }: AuditEntry, names: Readonly<Record<string, string>>): string {
  const nameOf = (id: string) => names[id] ?? t('admin.act.gone', { id })
  const who = actor === 'command' ? t('admin.act.command') : nameOf(actor)
  const whom = actor === target ? t('admin.act.self') : nameOf(target)
  const count = Number(detail['sessions'] ?? 0)
  switch (act) {
    case 'role-set':
      return t(detail['to'] === 'admin' ? 'admin.act.promoted' : 'admin.act.demoted', { who, whom })
    case 'account-disabled':
      return t('admin.act.disabled', { who, whom, count })
    case 'account-enabled':
      return t('admin.act.enabled', { who, whom })
    case 'account-deleted':
      return t('admin.act.deleted', { who, whom })
    case 'sessions-revoked':
      return t('admin.act.signed-out', { who, whom, count })
    case 'invitation-made':
      return detail['kind'] === 'reset'
        ? t('admin.act.reset', { who, whom })
        : t('admin.act.invited', { who, admin: detail['role'] === 'admin' })
    case 'invitation-revoked':
      return t('admin.act.took-back', { who })
  }
}
