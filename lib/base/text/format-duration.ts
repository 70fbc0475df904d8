import type { Language } from './languages'
import { formatsIn } from './locale'
import { readersLanguage } from './reader'

/** A span for people: 12 → "12 ms", 3400 → "3.4 s", 65 000 → "1 min 5 s"; in Chinese "12毫秒", "3.4秒", "1分钟5秒". */
export function formatDuration(ms: number, language: Language = readersLanguage()): string {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 1000) return withUnit(whole, 'millisecond', language)
  if (whole < 59_950) return withUnit((whole / 1000).toFixed(1), 'second', language)
  const seconds = Math.round(whole / 1000)
  const parts = [withUnit(Math.floor(seconds / 60), 'minute', language), withUnit(seconds % 60, 'second', language)]
  return parts.join(language === 'en' ? ' ' : '')
}

/** A running clock never shows milliseconds: 40 → "0.0 s", 3 430 → "3.4 s". */
export const formatElapsed = (ms: number): string =>
  ms < 1000 ? withUnit(`0.${Math.floor(Math.max(0, ms) / 100)}`, 'second', readersLanguage()) : formatDuration(ms)

/** How long to wait: 45 → "45 s", 200 → "4 min", 9000 → "3 h"; rounded up, so that nobody comes too early. */
export function formatWait(seconds: number, language: Language = readersLanguage()): string {
  if (seconds < 90) return withUnit(Math.max(1, Math.ceil(seconds)), 'second', language)
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? withUnit(minutes, 'minute', language) : withUnit(Math.ceil(minutes / 60), 'hour', language)
}

const symbols = { millisecond: 'ms', second: 's', minute: 'min', hour: 'h' } as const

/** By their symbols in English, where `Intl` would write "3.4 sec"; else as the language has them. */
function withUnit(value: number | string, unit: keyof typeof symbols, language: Language): string {
  if (language === 'en') return `${value} ${symbols[unit]}`
  return formatsIn(language).withUnit(Number(value), unit, typeof value === 'string' ? 1 : 0)
}

const units = ['KB', 'MB', 'GB', 'TB'] as const

/** A size for people, in decimal units with one digit after the point: 418 → "418 B", 2100 → "2.1 KB", 8e6 → "8 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.max(0, Math.round(bytes))} B`
  let value = bytes
  let unit = ''
  for (const next of units) {
    value /= 1000
    unit = next
    // 999.95 would round up to "1000.0 KB": that is the next unit's 1.
    if (value < 999.95) break
  }
  return `${value.toFixed(1).replace(/\.0$/, '')} ${unit}`
}
