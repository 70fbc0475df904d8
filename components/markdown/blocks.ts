/*
 * Splits Markdown into blocks that can be parsed one by one while the text grows. A blank line outside a fence ends a
 * block, except before a line that may continue it: an indented line or, in a list, the next marker.
 *
 *   "a\n\n- b\n\n  c\n\nd"  →  "a\n\n", "- b\n\n  c\n\n", "d"
 *
 * A formula over several lines is a fence, too (`written-math.ts`), and so is a Markdown document that contains
 * fences (`nested-fences.ts`).
 *
 * Known cost: reference links and footnotes do not resolve across blocks. If the text defines any (`hasReferences`),
 * the caller parses the whole text once at its end.
 */

import { createFenceFinder } from './math/formula-of'
import { nestedFences } from './nested-fences'

const marker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/
const continuesList = /^(?: {2,}|\t| ?[-*+][ \t]| ?\d{1,9}[.)][ \t])/
const continuesText = /^(?: {4}|\t)/
const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/
/** Most texts and lines contain none and cost nothing more. */
const formulaMark = /\$\$|\\\[/
/** Longer than any marker, so that the start of the next line decides. */
const lookAhead = 16

/** Blocks of `text`; joined they give the text back. The last one may still grow. */
export function splitBlocks(text: string): readonly string[] {
  const blocks: string[] = []
  let start = 0
  let fence = ''
  let inList = false
  const formulaEnd = formulaMark.test(text) ? createFenceFinder(text) : null
  const nested = nestedFences(text)
  let nextNested = 0
  for (let at = 0; at < text.length;) {
    if (nested[nextNested]?.begin === at) {
      const { end } = nested[nextNested] ?? { end: null }
      if (end === null) break
      nextNested += 1
      at = end
      continue
    }
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const line = text.slice(at, end)
    const next = end + 1
    if (fence === '' && marker.test(line)) inList = true
    const formula =
      formulaEnd && fence === '' && formulaMark.test(line) ? formulaEnd(at + indentOf(line, inList)) : null
    if (formula === 'open') break
    if (formula !== null) {
      const last = text.indexOf('\n', formula)
      at = last < 0 ? text.length : last + 1
      continue
    }
    fence = fenceAfter(fence, inList ? withoutIndent(line) : line)
    if (fence === '' && line.trim() === '' && next < text.length) {
      const ahead = text.slice(next, next + lookAhead)
      const cut = ahead.indexOf('\n')
      const nextLine = cut < 0 ? ahead : ahead.slice(0, cut)
      const continues = (inList ? continuesList : continuesText).test(nextLine) || nextLine.trim() === ''
      if (!continues) {
        blocks.push(text.slice(start, next))
        start = next
        inList = false
      }
    }
    at = next
  }
  if (start < text.length) blocks.push(text.slice(start))
  return blocks
}

const withoutIndent = (line: string): string => line.replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/, '')

/** The column where a line's text starts. Deeper indentation outside a list is code. */
const indentOf = (line: string, inList: boolean): number =>
  inList ? line.length - withoutIndent(line).length : (/^ {0,3}/.exec(line)?.[0].length ?? 0)

function fenceAfter(fence: string, line: string): string {
  const match = fenceLine.exec(line)
  if (!match) return fence
  const marks = match[1] ?? ''
  const info = match[2] ?? ''
  if (fence === '') return marks.startsWith('`') && info.includes('`') ? '' : marks
  const closes = marks.startsWith(fence.charAt(0)) && marks.length >= fence.length && info.trim() === ''
  return closes ? '' : fence
}

/** `[x]: …` or a footnote definition, which blocks parsed separately would not find. */
export const hasReferences = (text: string): boolean => /^ {0,3}\[[^\]\n]+\]:/m.test(text)

/** Parses one growing text: a token costs only the last block. */
export interface MarkdownBlocks {
  /** `finished` keeps its identity until a block is added; `open` may still change. */
  readonly read: (text: string) => { readonly finished: readonly string[]; readonly open: readonly string[] }
}

export function createBlockReader(): MarkdownBlocks {
  let before = ''
  let finished: readonly string[] = []
  let length = 0
  return {
    read(text) {
      if (!text.startsWith(before)) {
        finished = []
        length = 0
      }
      before = text
      const tail = splitBlocks(text.slice(length))
      const last = tail.at(-1) ?? ''
      if (tail.length < 2 || !isSettled(last)) return { finished, open: tail }
      const certain = tail.slice(0, -1)
      finished = [...finished, ...certain]
      length += certain.reduce((sum, block) => sum + block.length, 0)
      return { finished, open: [last] }
    },
  }
}

/** False while the block's first line could still become a list marker or an indent, and so join the previous block. */
const isSettled = (block: string): boolean => block.includes('\n') || !/^[ \t]*(?:[-*+]|\d{1,9}[.)]?)?$/.test(block)
