'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { useLanguage } from '@/components/ui/page/use-language'
import { formatMoment } from '@/lib/base/text/locale'
import type { AuditEntry } from '@/lib/shared/server-facts/account-rows'
import { t } from '@/lib/i18n/t'
import { PageLinks } from './admin-frame'

export interface AuditListProps {
  readonly entries: readonly AuditEntry[]
  /** By account id. */
  readonly names: Readonly<Record<string, string>>
  readonly next: string | null
}

/** What administrators did, newest first. */
export function AuditList({ entries, names, next }: AuditListProps) {
  useLanguage()
  return (
    <section className="grid gap-4" aria-label={t('admin.audit')}>
      {entries.length === 0 ? <p className="text-muted">{t('admin.no-acts')}</p> : null}
      <ol className="grid">
        {entries.map((entry) => (
          <li key={entry.id} className="flex flex-wrap gap-x-4 gap-y-0.5 border-b border-line py-2">
            <time
              className="w-48 flex-none text-sm/md text-muted tabular-nums"
              dateTime={new Date(entry.at).toISOString()}
              suppressHydrationWarning
            >
              {formatMoment(entry.at)}
            </time>
            <span className="min-w-0 flex-1 basis-72 wrap-anywhere">
              <SentenceText text={actionText(entry, names)} />
            </span>
          </li>
        ))}
      </ol>
      <PageLinks
        next={next}
        isFirst
        href={(after) => `/admin/audit?${new URLSearchParams(after === null ? {} : { after })}`}
      />
    </section>
  )
}

/** One administrator's action as a sentence. A deleted account is shown by its id. */
export function actionText(
  { actor, act, target, detail }: AuditEntry,
  names: Readonly<Record<string, string>>,
): string {
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
