import { t } from '@/lib/i18n/t'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago something was: "just now", "12 min ago", "3 h ago", "2 days ago". Clocks that differ give "just now". */
export function ageWords(ms: number): string {
  if (ms < minute) return t('base.age.now')
  if (ms < hour) return t('base.age.minutes', { count: Math.floor(ms / minute) })
  if (ms < day) return t('base.age.hours', { count: Math.floor(ms / hour) })
  return t('base.age.days', { count: Math.floor(ms / day) })
}
