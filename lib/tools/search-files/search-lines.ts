import { err, ok, type Result } from '@/lib/base/result'
import type { ToolContext } from '../tool'
import type { SearchLimits } from './limits'
import { maxRunCharacters, runPattern, type PatternFailure } from './pattern-run'

export interface LineMatch {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** The line, or what stands around the match when it is long. */
  readonly text: string
}

type TextFiles = AsyncIterable<{ readonly path: string; readonly text: string }>

const linesOf = (text: string) => text.split(/\r?\n/)

/** What of a line is shown: the match with about as much before it as behind. Never half of a surrogate pair. */
export function excerpt(line: string, at: number, length: number): string {
  if (line.length <= length) return line
  const start = Math.max(0, Math.min(at - Math.floor(length / 3), line.length - length))
  const part = line.slice(start, start + length).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${part}${start + length < line.length ? '…' : ''}`
}

/** Lines that hold a text, in any case; at most `most`. */
export async function linesWithText(
  files: TextFiles,
  query: string,
  most: number,
  limits: SearchLimits,
): Promise<readonly LineMatch[]> {
  const wanted = query.toLowerCase()
  const found: LineMatch[] = []
  for await (const { path, text } of files) {
    if (!text.toLowerCase().includes(wanted)) continue
    for (const [index, line] of linesOf(text).entries()) {
      const at = line.toLowerCase().indexOf(wanted)
      if (at < 0) continue
      found.push({ path, line: index + 1, text: excerpt(line, at, limits.excerptCharacters) })
      if (found.length >= most) return found
    }
  }
  return found
}

export interface PatternSearch {
  readonly found: readonly LineMatch[]
  /** Lines of which the pattern saw only the beginning. */
  readonly cutLines: number
  /** Set: the search ended there, with what had been found until then. */
  readonly failure: (PatternFailure & { readonly from: string }) | null
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
  context: ToolContext,
): Promise<PatternSearch> {
  const found: LineMatch[] = []
  let waiting: Waiting[] = []
  let characters = 0
  let cutLines = 0
  // The executor would end the call at its own limit, and what was found would be lost.
  let leftMs = Math.min(limits.patternMs, context.timeoutMs * 0.8)

  const flush = async (): Promise<Result<null, PatternFailure & { readonly from: string }>> => {
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
    return err({ reason: 'timed-out', message: 'The time for patterns was used up.', from })
  }

  for await (const { path, text } of files) {
    for (const [index, whole] of linesOf(text).entries()) {
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
