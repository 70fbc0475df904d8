import type { ReadContext } from '../arguments/dialect'
import { readFenceCloser, runEnd } from '../scan/fences'
import { structureFollows } from '../scan/json-tail'
import { isCutCloser, readAnyCloser, readTag } from '../scan/tags'
import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import { afterQuote, closesAgain, isExample, opensCall, TAG } from './markup'

/** The maximum distance of a value from its closing tag, or of text from the object. */
export const MAX_NOISE = 200

/** Reads what surrounds the JSON in a tag, and where it ends: a fence, CDATA, surplus brackets, the closing tag. */
export class BodyEnd {
  protected readonly source: Source
  protected readonly start: number
  protected readonly context: ReadContext
  protected readonly repairs: RepairCode[]
  protected fence: { char: number; length: number } | null = null
  protected inCdata = false
  private next: { from: number; at: number; kind: 'opener' | 'closer' | null } | null = null

  constructor(source: Source, start: number, context: ReadContext, repairs: RepairCode[]) {
    this.source = source
    this.start = start
    this.context = context
    this.repairs = repairs
  }

  protected openFence(i: number): number | null {
    const { source } = this
    const after = runEnd(source, i)
    if (after - i < 3) return null
    let end = after
    while (
      source.at(end) >= 0 &&
      source.at(end) !== Char.LINE_FEED &&
      source.at(end) !== Char.OPEN_BRACE &&
      end - after < 40
    )
      end++
    this.fence = { char: source.at(i), length: after - i }
    this.repairs.push('fenced-body')
    return end
  }

  /**
   * The object after a value that ended, with or without a comma. A call after surplus closing brackets is still inside
   * this tag: alone, it would be read as one that lost its opening tag.
   */
  protected nextObject(end: number): { at: number; bracketsEnd: number | null } | null {
    const { source } = this
    let bracketsEnd = null
    for (let i = source.skipSpace(end); ; i = source.skipSpace(i + 1)) {
      const unit = source.at(i)
      if (unit === Char.COMMA) continue
      if (unit === Char.CLOSE_BRACE || (unit === Char.CLOSE_BRACKET && !this.inCdata)) bracketsEnd = i + 1
      else if (unit !== Char.OPEN_BRACE) return null
      else return bracketsEnd !== null && !opensCall(source, i) ? null : { at: i, bracketsEnd }
    }
  }

  /** Missing brackets before markup are certain; anything that looks like a tag of ours or a closer counts. */
  protected isStop(i: number): boolean {
    const { source } = this
    const unit = source.at(i)
    if (unit === Char.LESS) {
      const opener = readTag(source, i, TAG, false)
      if (opener) return !afterQuote(source, i) || !isExample(source, opener.end)
      const own = readTag(source, i, TAG, true)
      if (own)
        return (!afterQuote(source, i) || !closesAgain(source, own.end)) && !structureFollows(source, own.end, opens)
      return false
    }
    if (this.fence && unit === this.fence.char) return readFenceCloser(source, i, this.fence) !== null
    return this.inCdata && unit === Char.CLOSE_BRACKET && source.has(i, ']]>')
  }

  /**
   * Whether the tag at `i` may follow JSON with guessed quotes: it is our own, or another one that ours does not
   * follow.
   */
  protected endsGuess(i: number): boolean {
    const { source } = this
    if (readTag(source, i, TAG, false) || isCutCloser(source, i, TAG)) return true
    const own = readTag(source, i, TAG, true)
    if (own) return this.nextTag(own.end) !== 'closer'
    return readAnyCloser(source, i) !== null && this.nextTag(i + 1) !== 'closer'
  }

  /** Which of our tags comes next; called from left to right, so that each is searched for once. */
  private nextTag(from: number): 'opener' | 'closer' | null {
    const { source, next } = this
    if (next && next.from <= from && from <= next.at) return next.kind
    for (let i = from; ; i++) {
      i = source.find('<', i)
      const kind =
        i < 0
          ? null
          : readTag(source, i, TAG, false)
            ? 'opener'
            : readTag(source, i, TAG, true) || isCutCloser(source, i, TAG)
              ? 'closer'
              : undefined
      if (kind === undefined) continue
      this.next = { from, at: i < 0 ? Infinity : i, kind }
      return kind
    }
  }

  /** Finds the end of the call after its JSON. */
  protected close(from: number, continues = false): { end: number; own: boolean; repairs: RepairCode[] } {
    const { source, context } = this
    const repairs: RepairCode[] = []
    let end = from
    let i = source.skipSpace(from)
    while (source.at(i) === Char.CLOSE_BRACE || (source.at(i) === Char.CLOSE_BRACKET && !this.inCdata)) {
      repairs.push('extra-bracket')
      end = i + 1
      i = source.skipSpace(end)
    }
    if (this.fence && source.at(i) === this.fence.char) {
      end = runEnd(source, i)
      i = source.skipSpace(end)
    }
    if (this.inCdata && source.has(i, ']]>')) {
      end = i + 3
      i = source.skipSpace(end)
    }
    const own = readTag(source, i, TAG, true)
    if (own) {
      if (own.otherCase) repairs.push('tag-case')
      if (own.decorated) repairs.push('tag-attributes')
      return { end: own.end, own: true, repairs }
    }
    if (isCutCloser(source, i, TAG))
      return { end: source.text.length, own: false, repairs: [...repairs, 'missing-closer'] }
    const wrong = readAnyCloser(source, i)
    // In reasoning or a fence, the closer belongs to the surroundings.
    if (wrong !== null && !context.quoted) return { end: wrong, own: false, repairs: [...repairs, 'wrong-closer'] }
    if (context.isFenceEnd(i)) return { end, own: false, repairs: [...repairs, 'missing-closer'] }
    for (let at = i; at - i <= MAX_NOISE; at++) {
      const unit = source.at(at)
      // A quote or a bracket is not noise: the call continues.
      if (unit < 0) break
      if (!continues && (unit === Char.QUOTE || unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET)) break
      if (unit !== Char.LESS) continue
      const closer = readTag(source, at, TAG, true)
      if (!closer) break
      return { end: closer.end, own: true, repairs: [...repairs, 'noise'] }
    }
    return { end, own: false, repairs: [...repairs, 'missing-closer'] }
  }
}

const opens = (source: Source, i: number): boolean => readTag(source, i, TAG, false) !== null
