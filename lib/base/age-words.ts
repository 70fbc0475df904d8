import { sentencesOf } from './catalogue'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const sentence = sentencesOf({
  'base.age.now': 'just now',
  'base.age.minutes': '{count} min ago',
  'base.age.hours': '{count} h ago',
  'base.age.days': '{count, plural, one {# day ago} other {# days ago}}',
})

/** How long ago something was: "just now", "12 min ago", "3 h ago", "2 days ago". Clocks that differ give "just now". */
export function ageWords(ms: number): string {
  if (ms < minute) return sentence('base.age.now')
  if (ms < hour) return sentence('base.age.minutes', { count: Math.floor(ms / minute) })
  if (ms < day) return sentence('base.age.hours', { count: Math.floor(ms / hour) })
  return sentence('base.age.days', { count: Math.floor(ms / day) })
}
