import { t } from '@/lib/i18n/t'
import { isJsonWithin } from '@/lib/base/json-within'
import type { JsonValue } from '@/lib/base/json'

const MAX_LINE_CHARS = 1_000_000
const MAX_DEPTH = 100
const PAUSE_EVERY = 250

interface Told {
  readonly pause: () => Promise<void>
  /** Hears of each line that can't be read. */
  readonly tell: (problem: string) => void
}

/** The values of a file that has one a line, or is one list of them; what can't be read is told and passed over. */
export async function* jsonLines(
  text: string,
  { pause, tell }: Told,
): AsyncGenerator<{ readonly value: JsonValue; readonly line: number }, void, undefined> {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  const whole = /^\s*\[/.test(body) ? parse(body) : undefined
  if (Array.isArray(whole)) {
    for (const [at, value] of (whole as readonly JsonValue[]).entries()) {
      if (at % PAUSE_EVERY === 0) await pause()
      if (isJsonWithin(value, MAX_DEPTH)) yield { value, line: at + 1 }
      else tell(t('lab.import.not-a-probe', { line: at + 1, problem: 'too-deep' }))
    }
    return
  }
  let start = 0
  for (let line = 1; start < body.length; line++) {
    if (line % PAUSE_EVERY === 0) await pause()
    const end = body.indexOf('\n', start)
    const stop = end < 0 ? body.length : end
    const length = stop - start
    const source = length > MAX_LINE_CHARS ? '' : body.slice(start, stop).trim()
    start = stop + 1
    if (length > MAX_LINE_CHARS) tell(t('lab.import.line-too-long', { line }))
    if (source === '') continue
    const value = parse(source)
    if (value === undefined) tell(t('lab.import.not-json', { line }))
    else if (isJsonWithin(value, MAX_DEPTH)) yield { value, line }
    else tell(t('lab.import.not-a-probe', { line, problem: 'too-deep' }))
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
