import type { Dialect } from '../dialect'

/** No opener in a dialect's `starts` is longer. */
const MAX_START = 40

/**
 * Which dialects are asked at a place, by the characters that stand there. Junk asks at every character, so the answer
 * for each pair of characters is kept.
 */
export class AskedDialects {
  private readonly dialects: readonly Dialect[]
  private readonly byPair = new Map<string, readonly Dialect[]>()
  private readonly byLetter = new Map<string, readonly Dialect[]>()

  constructor(dialects: readonly Dialect[]) {
    this.dialects = dialects
  }

  /** Those that may begin at `at`, in order. */
  at(text: string, at: number): readonly Dialect[] {
    const pair = text.slice(at, at + 2)
    const asked = this.byPair.get(pair) ?? this.keep(pair)
    if (!asked.some((dialect) => dialect.starts)) return asked
    const head = text.slice(at, at + MAX_START).toLowerCase()
    return asked.filter((dialect) => mayStart(dialect, head))
  }

  /** Those that may begin with `letter` as the first of a line, before they look further. */
  atLine(letter: string): readonly Dialect[] {
    const known = this.byLetter.get(letter)
    if (known) return known
    const asked = letter === '' ? [] : this.dialects.filter((dialect) => dialect.lineTriggers?.includes(letter))
    // Only letters that somebody asks for are kept: there are as many others as a text has.
    if (asked.length > 0) this.byLetter.set(letter, asked)
    return asked
  }

  /** Those that may begin at `at`, the first of a line, in order. */
  atLineStart(text: string, at: number): readonly Dialect[] {
    const head = text.slice(at, at + MAX_START).toLowerCase()
    return this.atLine(text[at] ?? '').filter((dialect) => mayStart(dialect, head))
  }

  private keep(pair: string): readonly Dialect[] {
    const letter = pair.slice(0, 1)
    const head = pair.toLowerCase()
    const asked = this.dialects.filter((dialect) => dialect.triggers.includes(letter) && mayStart(dialect, head))
    if (this.byPair.size < 1000) this.byPair.set(pair, asked)
    return asked
  }
}

/** Whether one of the dialect's openers begins like `head`, however short that is. */
const mayStart = ({ starts }: Dialect, head: string): boolean =>
  !starts || starts.some((start) => start.startsWith(head.slice(0, start.length)))
