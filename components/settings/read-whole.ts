import { err, ok, type Result } from '@/lib/base/result'

/** A whole number in a range, as people type it; otherwise a sentence that says what is wanted. */
export function readWhole(text: string, min: number, max: number): Result<number, string> {
  const trimmed = text.trim()
  const value = /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  if (value >= min && value <= max) return ok(value)
  return err(`Enter a whole number from ${min} to ${max}. Until then the old one holds.`)
}
