import { makeTold, type Told } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import type { ToolContext } from '../tool'
import type { SearchFailure } from './search-failure'

/*
 * A regular expression can take for ever on a single line, and nothing on the page could stop it then. So it runs in the
 * sandbox, which can be stopped: lines go in as data, the numbers and offsets of those that match come out.
 */

/** A line that matched: its place in the list, and where in it. */
export interface PatternHit {
  readonly index: number
  readonly at: number
}

/** Characters of lines, as JSON, that one run takes: with all around it, less than what the sandbox rewrites quickly. */
export const maxRunCharacters = 180_000

/** The sentence on what is wrong with a pattern; null when it is one. */
export function flawOfPattern(source: string): Told | null {
  try {
    ''.match(new RegExp(source))
    return null
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.replace(/^Invalid regular expression: /, '') : ''
    return makeTold('told.query-pattern', { why })
  }
}

const codeFor = (source: string, lines: readonly string[], most: number) => `const lines = ${JSON.stringify(lines)}
const pattern = new RegExp(${JSON.stringify(source)})
const hits = []
for (let index = 0; index < lines.length && hits.length < ${most}; index++) {
  const found = pattern.exec(lines[index])
  if (found) hits.push([index, found.index])
}
hits`

/** The sandbox is foreign ground: only numbers that fit count. */
function readHits(value: string, lines: readonly string[]): readonly PatternHit[] {
  const parsed: unknown = JSON.parse(value)
  if (!Array.isArray(parsed)) return []
  return parsed.flatMap((hit: unknown): readonly PatternHit[] => {
    if (!Array.isArray(hit)) return []
    const [index, at] = hit as readonly unknown[]
    return typeof index === 'number' && typeof at === 'number' && lines[index] !== undefined ? [{ index, at }] : []
  })
}

/** Which lines match, at most `most` of them, and the milliseconds that it took. */
export async function runPattern(
  source: string,
  lines: readonly string[],
  most: number,
  { sandbox, vfs, signal, timeoutMs }: Pick<ToolContext<'read'>, 'sandbox' | 'vfs' | 'signal' | 'timeoutMs'>,
): Promise<Result<{ readonly hits: readonly PatternHit[]; readonly durationMs: number }, Omit<SearchFailure, 'from'>>> {
  const code = codeFor(source, lines, most)
  const outcome = await sandbox.run({ code, vfs, signal, timeoutMs, onEvent: () => {} })
  switch (outcome.kind) {
    case 'returned':
      if (!outcome.valueIsJson) return err({ reason: 'unavailable', told: makeTold('told.pattern-none') })
      return ok({ hits: readHits(outcome.value, lines), durationMs: outcome.durationMs })
    case 'timed-out':
      return err({ reason: 'timed-out', told: makeTold('told.pattern-late') })
    case 'stopped':
      return err({ reason: 'stopped', told: makeTold('told.search-stopped') })
    case 'threw':
      return err({ reason: 'unavailable', told: makeTold('told.search-foreign', { why: outcome.message }) })
    case 'flooded':
    case 'unavailable':
      return err({ reason: 'unavailable', told: outcome.told })
  }
}
