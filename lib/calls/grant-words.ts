import { counted } from '@/lib/base/locale'
import type { GrantScope } from '@/lib/conversation/conversation'

/** What a remembered yes covers, as it goes on after "don't ask again for" and "you allowed". */
export function scopeWords(scope: GrantScope): string {
  switch (scope.kind) {
    case 'arguments':
      return `this very call of ${scope.tool}`
    case 'folder':
      return `${scope.tool} in ${folderWords(scope.folder)}`
    case 'tool':
      return `every ${scope.tool}`
  }
}

/** A folder is all below it, and the root is everything. */
export const folderWords = (folder: string): string =>
  folder === '/' ? 'all folders of this chat' : `${folder} and all below it`

/** What a person may choose how long a remembered answer stands: milliseconds, null as long as the chat. */
export const grantLifetimes: readonly (number | null)[] = [null, 15 * 60_000, 60 * 60_000, 8 * 60 * 60_000]

const minutes = 60_000
const hours = 60 * minutes
const days = 24 * hours

/** A span in words, the largest unit that it fills: "15 minutes", "1 hour", "8 hours". */
export function lifetimeWords(ms: number): string {
  if (ms >= days) return counted(Math.floor(ms / days), { one: 'day', other: 'days' })
  if (ms >= hours) return counted(Math.floor(ms / hours), { one: 'hour', other: 'hours' })
  return counted(Math.max(1, Math.ceil(ms / minutes)), { one: 'minute', other: 'minutes' })
}
