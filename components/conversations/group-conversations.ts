import type { ConversationSummary } from '@/lib/conversation/conversation'

export interface ConversationGroup {
  readonly title: 'Today' | 'Last week' | 'Older'
  readonly rows: readonly ConversationSummary[]
}

const dayMs = 86_400_000

/** Newest first in each group; days begin at midnight where the reader is. Empty groups are left out. */
export function groupConversations(rows: readonly ConversationSummary[], now: Date): readonly ConversationGroup[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const groups: Record<ConversationGroup['title'], ConversationSummary[]> = { Today: [], 'Last week': [], Older: [] }
  for (const row of rows.toSorted((a, b) => b.updatedAt - a.updatedAt)) {
    if (row.updatedAt >= midnight) groups.Today.push(row)
    else if (row.updatedAt >= midnight - 7 * dayMs) groups['Last week'].push(row)
    else groups.Older.push(row)
  }
  return (['Today', 'Last week', 'Older'] as const)
    .map((title) => ({ title, rows: groups[title] }))
    .filter((group) => group.rows.length > 0)
}
