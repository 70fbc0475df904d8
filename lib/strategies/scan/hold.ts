import type { Certainty, Source } from '../text/source'
import { JsonEndWatch } from './json-end'

const TAIL = 64

/**
 * A piece whose meaning needs more text. Reading it again at every chunk would be quadratic: it is read again when
 * something arrived that may end it and enough was written since to pay for the look, or when it has doubled.
 */
export class Hold {
  readonly certain: Certainty | null
  /** Where the piece begins in the whole text. */
  private readonly start: number
  private readonly watch: JsonEndWatch
  private readonly sizeThen: number
  private size: number
  private credit: number
  private promising = false
  /** What arrived last; once the brackets are balanced, what came after them. */
  private tail = ''

  private constructor(start: number, size: number, credit: number, certain: Certainty | null, watch: JsonEndWatch) {
    this.start = start
    this.watch = watch
    this.size = size
    this.sizeThen = size
    this.credit = credit
    this.certain = certain
  }

  static of(source: Source, pos: number, before: Hold | null): Hold {
    const { certain } = source
    const text = source.text.slice(pos)
    const start = source.base + pos
    // The same piece as before: what watched it has seen all that came since.
    const same = before?.start === start && before.watched ? before.watch : null
    const watch = same ?? new JsonEndWatch()
    const hold = new Hold(start, text.length, before?.credit ?? TAIL, certain, watch)
    if (certain?.until !== undefined) {
      // What it waits for may have begun already.
      hold.tail = text.slice(-TAIL)
      return hold
    }
    if (!same) watch.push(text)
    if (watch.done) hold.tail = afterBrackets(text)
    return hold
  }

  /** Whether the watch is kept: not where brackets don't tell. */
  private get watched(): boolean {
    return this.certain?.until === undefined
  }

  /** Takes note of what arrived. */
  note(chunk: string): void {
    this.size += chunk.length
    this.credit += 4 * chunk.length
    const { certain } = this
    if (certain?.until !== undefined) {
      this.tail = (this.tail + chunk).slice(-TAIL)
      this.promising ||=
        certain.name === null || (chunk.includes('>') && this.tail.toUpperCase().includes(certain.until))
      return
    }
    const wasDone = this.watch.done
    this.watch.push(chunk)
    this.promising ||= certain === null || certain.name === null
    if (!this.watch.done) return
    if (this.tail.length < TAIL) this.tail += wasDone ? chunk : afterBrackets(chunk)
    const rest = this.tail.trimStart()
    // A tag decides when it is whole, anything else at once.
    this.promising ||= rest.startsWith('<') ? rest.includes('>') || rest.length >= TAIL : rest !== ''
  }

  /** Whether another look is worth it; a look is paid for. */
  wakes(): boolean {
    if (!(this.promising && this.credit >= this.size) && this.size < 2 * this.sizeThen) return false
    this.credit = Math.max(0, this.credit - this.size)
    this.promising = false
    return true
  }
}

const afterBrackets = (text: string): string =>
  text.slice(Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1).slice(0, TAIL)
