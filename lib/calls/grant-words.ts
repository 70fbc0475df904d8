import { asForeign, asWritten } from '@/lib/base/foreign-text/foreign'
import type { Grant } from '@/lib/conversation/conversation'
import { grantSentence } from '@/lib/words/grants'

/** What a remembered yes covers, as it goes on after "don't ask again for" and "you allowed". */
export function scopeWords(scope: Grant['scope']): string {
  switch (scope.kind) {
    case 'unreadable':
      return grantSentence('grants.unreadable')
    case 'arguments':
      return grantSentence('grants.arguments', { tool: scope.tool })
    case 'folder':
      return grantSentence('grants.folder', { tool: scope.tool, folder: asWritten(folderWords(scope.folder)) })
    case 'tool':
      return grantSentence('grants.tool', { tool: scope.tool })
  }
}

/** A folder is all below it, and the root is everything. */
export const folderWords = (folder: string): string =>
  folder === '/' ? grantSentence('grants.every-folder') : grantSentence('grants.below', { folder: asForeign(folder) })

/** What a person may choose how long a remembered answer stands: milliseconds, null as long as the chat. */
export const grantLifetimes: readonly (number | null)[] = [null, 15 * 60_000, 60 * 60_000, 8 * 60 * 60_000]

const minutes = 60_000
const hours = 60 * minutes
const days = 24 * hours

/** A span in words, the largest unit that it fills: "15 minutes", "1 hour", "8 hours". */
export function lifetimeWords(ms: number): string {
  if (ms >= days) return grantSentence('grants.days', { count: Math.floor(ms / days) })
  if (ms >= hours) return grantSentence('grants.hours', { count: Math.floor(ms / hours) })
  return grantSentence('grants.minutes', { count: Math.max(1, Math.ceil(ms / minutes)) })
}
