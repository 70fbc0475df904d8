import type { Dialect } from '../arguments/dialect'

/** No opener in a dialect's `starts` is longer than this. */
const MAX_START = 40
/** Junk may contain any pair of characters, so only this many are cached at a time. */
const MAX_PAIRS = 1000

/**
 * A position in the reply: at the beginning of a reply or a fence, more dialects are tried than in the lines of its
 * prose.
 */
export type LineagePosition = 'prose' | 'beginning'

/**
 * Which dialects to try at a position, by the characters there. Junk asks at every character, so the answer for each
 * pair of characters is cached.
 */
export class RequestedDialects {
  private static readonly known = new WeakMap<readonly Dialect[], RequestedDialects>()

  /** Shared by all replies of a strategy. */
  static of(dialects: readonly Dialect[]): RequestedDialects {
    const asked = this.known.get(dialects) ?? new RequestedDialects(dialects)
    this.known.set(dialects, asked)
    return asked
  }

  private readonly inText: PairTable
  private readonly atLines: Readonly<Record<LineagePosition, PairTable>>

  private constructor(dialects: readonly Dialect[]) {
    const lines = dialects.filter(({ lineTriggers }) => lineTriggers !== undefined)
    const triggersOf = ({ lineTriggers }: Dialect): string => lineTriggers ?? ''
    this.inText = new PairTable(dialects, ({ triggers }) => triggers)
    this.atLines = {
      prose: new PairTable(
        lines.filter(({ onlyAtBeginning }) => onlyAtBeginning !== true),
        triggersOf,
      ),
      beginning: new PairTable(lines, triggersOf),
    }
  }

  /** The dialects that may begin at `at`, in order. */
  at(text: string, at: number): readonly Dialect[] {
    return this.inText.at(text, at)
  }

  /** The dialects that may begin at `at`, the first character of a line, and are tried only there; in order. */
  atLineStart(text: string, at: number, place: LineagePosition): readonly Dialect[] {
    return this.atLines[place].at(text, at)
  }
}

class PairTable {
  private readonly dialects: readonly Dialect[]
  private readonly triggersOf: (dialect: Dialect) => string
  private readonly byPair = new Map<string, readonly Dialect[]>()

  constructor(dialects: readonly Dialect[], triggersOf: (dialect: Dialect) => string) {
    this.dialects = dialects
    this.triggersOf = triggersOf
  }

  at(text: string, at: number): readonly Dialect[] {
    const pair = text.slice(at, at + 2)
    const asked = this.byPair.get(pair) ?? this.keep(pair)
    if (asked.length === 0 || !asked.some((dialect) => dialect.starts)) return asked
    const head = text.slice(at, at + MAX_START).toLowerCase()
    return asked.filter((dialect) => mayStart(dialect, head))
  }

  private keep(pair: string): readonly Dialect[] {
    const letter = pair.slice(0, 1)
    const head = pair.toLowerCase()
    const asked = this.dialects.filter(
      (dialect) => letter !== '' && this.triggersOf(dialect).includes(letter) && mayStart(dialect, head),
    )
    if (this.byPair.size >= MAX_PAIRS) this.byPair.clear()
    this.byPair.set(pair, asked)
    return asked
  }
}

/** Whether one of the dialect's openers begins like `head`, however short that is. */
const mayStart = ({ starts }: Dialect, head: string): boolean =>
  !starts || starts.some((start) => start.startsWith(head.slice(0, start.length)))
