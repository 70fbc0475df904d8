import { t } from '@/lib/i18n/t'

/** How a folded thought is called: by the time it took, where somebody looked at a clock, else by its length. */
export function thoughtWords(text: string, ms: number | null): string {
  const words = text.match(/\S+/g)?.length ?? 0
  if (ms === null) return t('reading.thought.words', { words })
  const seconds = Math.round(ms / 1_000)
  if (seconds < 1) return t('reading.thought.moment', { words })
  return seconds < 60
    ? t('reading.thought', { seconds })
    : t('reading.thought.minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 })
}
