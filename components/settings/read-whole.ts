import { err, ok, type Result } from '@/lib/base/result'
import { t } from '@/lib/i18n/t'

/** A whole number in a range, as people type it; otherwise a sentence that says what is wanted. */
export function readWhole(text: string, min: number, max: number): Result<number, string> {
  const trimmed = text.trim()
  const value = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  if (value >= min && value <= max) return ok(value)
  return err(t('chat-settings.limit.wrong', { min: String(min), max: String(max) }))
}
