import { makeTold } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import type { LineMatch } from '../search-worker-port'
import type { ToolContext } from '../tool'
import type { SearchLimits } from './limits'
import { excerpt, searchedLines } from './lines'
import { maxRunCharacters, runPattern } from './pattern-run'
import type { SearchFailure } from './search-failure'

type TextFiles = AsyncIterable<{ readonly path: string; readonly text: string }>

export interface PatternSearch {
  readonly found: readonly LineMatch[]
  /** Lines of which the pattern saw only the beginning. */
  readonly cutLines: number
  /** Set: the search ended there, with what had been found until then. */
  readonly failure: SearchFailure | null
}

interface Waiting {
  readonly path: string
  readonly line: number
  readonly whole: string
  readonly seen: string
}

/** Lines that a pattern matches, at most `most`; it runs in the sandbox, for `limits.patternMs` in all. */
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
  // The executor would end the call at its own limit, and what was found would be lost.
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
    return err({ reason: 'timed-out', told: makeTold('told.pattern-time'), from })
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
