import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import type { ToolContext } from '../tool'
import type { LineMatch } from '../search-worker-port'
import { type SearchLimits, excerpt, searchedLines } from './searched-files'

/*
 * A regular expression can take forever on a single line, and nothing on the page could stop it then. So it runs in the
 * sandbox, which can be stopped: lines go in as data, and the numbers and offsets of the matching ones are returned.
 */

/** A line that matched: its index in the list, and the offset in it. */
export interface PatternHit {
  readonly index: number
  readonly at: number
}

/**
 * Characters of lines, as JSON, that one run takes: with the surrounding code, less than what the sandbox rewrites
 * quickly.
 */
export const maxRunCharacters = 180_000

/** A sentence about what is wrong with a pattern; null if it is valid. */
export function flawOfPattern(source: string): ModelMessage | null {
  try {
    ''.match(new RegExp(source))
    return null
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.replace(/^Invalid regular expression: /, '') : ''
    return makeModelMessage('told.query-pattern', { why })
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

/** The sandbox is untrusted: only valid numbers count. */
function readHits(value: string, lines: readonly string[]): readonly PatternHit[] {
  const parsed: unknown = JSON.parse(value)
  if (!Array.isArray(parsed)) return []
  return parsed.flatMap((hit: unknown): readonly PatternHit[] => {
    if (!Array.isArray(hit)) return []
    const [index, at] = hit as readonly unknown[]
    return typeof index === 'number' && typeof at === 'number' && lines[index] !== undefined ? [{ index, at }] : []
  })
}

/** The matching lines, at most `most` of them, and the milliseconds that it took. */
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
      if (!outcome.valueIsJson) return err({ reason: 'unavailable', refusal: makeModelMessage('told.pattern-none') })
      return ok({ hits: readHits(outcome.value, lines), durationMs: outcome.durationMs })
    case 'timed-out':
      return err({ reason: 'timed-out', refusal: makeModelMessage('told.pattern-late') })
    case 'stopped':
      return err({ reason: 'stopped', refusal: makeModelMessage('told.search-stopped') })
    case 'threw':
      return err({ reason: 'unavailable', refusal: makeModelMessage('told.search-foreign', { why: outcome.message }) })
    case 'flooded':
    case 'unavailable':
      return err({ reason: 'unavailable', refusal: outcome.refusal })
  }
}

/** Why a search ended early. `reason` as in a tool's failure. */
export interface SearchFailure {
  readonly reason: 'timed-out' | 'stopped' | 'unavailable'
  readonly refusal: ModelMessage
  /** Where it was, as a path or path:line; null: at the beginning. */
  readonly from: string | null
}

type TextFiles = AsyncIterable<{ readonly path: string; readonly text: string }>

interface PatternSearch {
  readonly found: readonly LineMatch[]
  /** Lines of which the pattern saw only the beginning. */
  readonly cutLines: number
  /** Set: the search ended there, with the matches until then. */
  readonly failure: SearchFailure | null
}

interface Waiting {
  readonly path: string
  readonly line: number
  readonly whole: string
  readonly seen: string
}

/** The lines that match a pattern, at most `most`; it runs in the sandbox, for `limits.patternMs` in all. */
export async function linesWithPattern(
  files: TextFiles,
  source: string,
  most: number,
  limits: SearchLimits,
  context: ToolContext<'read'>,
): Promise<PatternSearch> {
  const found: LineMatch[] = []
  let waiting: Waiting[] = []
  let characters = 0
  let cutLines = 0
  // The executor would end the call at its own limit, and the matches would be lost.
  let leftMs = Math.min(limits.patternMs, context.timeoutMs * 0.8)

  const flush = async (): Promise<Result<null, SearchFailure>> => {
    const [first] = waiting
    if (first === undefined) return ok(null)
    const lines = waiting
    waiting = []
    characters = 0
    const from = `${first.path}:${first.line}`
    const seen = lines.map((one) => one.seen)
    const run = await runPattern(source, seen, most - found.length, { ...context, timeoutMs: Math.max(1, leftMs) })
    if (!run.ok) return err({ ...run.error, from })
    leftMs -= run.value.durationMs
    for (const { index, at } of run.value.hits) {
      const hit = lines[index]
      if (hit) found.push({ path: hit.path, line: hit.line, text: excerpt(hit.whole, at, limits.excerptCharacters) })
    }
    if (leftMs > 0) return ok(null)
    return err({ reason: 'timed-out', refusal: makeModelMessage('told.pattern-time'), from })
  }

  for await (const { path, text } of files) {
    for (const [index, whole] of searchedLines(text).entries()) {
      const seen = whole.slice(0, limits.patternLineCharacters)
      if (seen.length < whole.length) cutLines += 1
      waiting.push({ path, line: index + 1, whole, seen })
      characters += JSON.stringify(seen).length + 1
      if (characters < maxRunCharacters) continue
      const flushed = await flush()
      if (!flushed.ok) return { found, cutLines, failure: flushed.error }
      if (found.length >= most) return { found, cutLines, failure: null }
    }
  }
  const flushed = await flush()
  return { found, cutLines, failure: flushed.ok ? null : flushed.error }
}
