import { asUntrusted, asWritten } from '@/lib/base/untrusted-text/foreign'
import type { Grant } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'

/** What a grant covers, as text after "don't ask again for" and "you allowed". */
export function scopeWords(scope: Grant['scope']): string {
  switch (scope.kind) {
    case 'copy':
      return t('grants.copy')
    case 'unreadable':
      return t('grants.unreadable')
    case 'arguments':
      return t('grants.arguments', { tool: scope.tool })
    case 'folder':
      return t('grants.folder', { tool: scope.tool, folder: asWritten(folderWords(scope.folder)) })
    case 'tool':
      return t('grants.tool', { tool: scope.tool })
  }
}

/** A folder includes everything below it, and the root is everything. */
export const folderWords = (folder: string): string =>
  folder === '/' ? t('grants.every-folder') : t('grants.below', { folder: asUntrusted(folder) })

/** The durations that the user can choose for a grant: milliseconds; null: as long as the chat. */
export const grantLifetimes: readonly (number | null)[] = [null, 15 * 60_000, 60 * 60_000, 8 * 60 * 60_000]

const minutes = 60_000
const hours = 60 * minutes
const days = 24 * hours

/** A duration as text, in the largest unit that it fills: "15 minutes", "1 hour", "8 hours". */
export function lifetimeText(ms: number): string {
  if (ms >= days) return t('grants.days', { count: Math.floor(ms / days) })
  if (ms >= hours) return t('grants.hours', { count: Math.floor(ms / hours) })
  return t('grants.minutes', { count: Math.max(1, Math.ceil(ms / minutes)) })
}
