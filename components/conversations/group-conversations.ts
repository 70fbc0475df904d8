import { t } from '@/lib/i18n/t'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'

export interface ConversationGroup {
  readonly title: string
  readonly rows: readonly ConversationSummary[]
}

const dayMs = 86_400_000

/** What is pinned, then by days, newest first in each group; days begin at midnight where the reader is. Empty groups are left out. */
export function groupConversations(rows: readonly ConversationSummary[], now: Date): readonly ConversationGroup[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const pinned: ConversationSummary[] = []
  const [today, week, older]: [ConversationSummary[], ConversationSummary[], ConversationSummary[]] = [[], [], []]
  for (const row of rows.toSorted((a, b) => b.updatedAt - a.updatedAt)) {
    if (row.pinned) pinned.push(row)
    else if (row.updatedAt >= midnight) today.push(row)
    else if (row.updatedAt >= midnight - 7 * dayMs) week.push(row)
    else older.push(row)
  }
  return [
    { title: t('line.pinned'), rows: pinned },
    { title: t('line.today'), rows: today },
    { title: t('line.week'), rows: week },
    { title: t('line.before'), rows: older },
  ].filter((group) => group.rows.length > 0)
}
