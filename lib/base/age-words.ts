import { plural } from '@/lib/base/locale'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago something was: "just now", "12 min ago", "3 h ago", "2 days ago". Clocks that differ give "just now". */
export function ageWords(ms: number): string {
  if (ms < minute) return 'just now'
  if (ms < hour) return `${Math.floor(ms / minute)} min ago`
  if (ms < day) return `${Math.floor(ms / hour)} h ago`
  const days = Math.floor(ms / day)
  return plural(days, { one: '1 day ago', other: `${days} days ago` })
}
