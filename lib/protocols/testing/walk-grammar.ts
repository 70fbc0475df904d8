import { isPlaceholder } from '../arguments/write-json'
import type { CallToWrite } from '../types/tool-context-def'
import {
  takesChar,
  type Random,
  type CharsNode,
  type Grammar,
  type ManyNode,
  type Note,
  type TextNode,
  type Prose,
  type ProseState,
  type ProseStep,
} from '../grammar/grammar'

export interface WalkOptions {
  /** The words that values and prose consist of. */
  readonly words?: readonly string[]
}

export interface Walked {
  readonly text: string
  /** The calls in the text, in order. */
  readonly calls: readonly CallToWrite[]
  /** The position of each call in the text. */
  readonly places: readonly CallPlace[]
}

/** UTF-16 offsets of the text of a call. */
export interface CallPlace {
  /**
   * After the text in the prose that opened it, shared by calls that were opened together; without prose equal to
   * `start`.
   */
  readonly begun: number
  /** Start of its name, or of the object that contains it. */
  readonly start: number
  readonly end: number
}

/** Ordinary words, and characters that are significant in some form. */
export const PLAIN_WORDS: readonly string[] = [
  'hello',
  'a',
  ' ',
  '\n',
  '"',
  '\\',
  '/tmp/x',
  'é',
  '😀',
  "don't",
  '<',
  '>',
  '&',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  'TOOL',
  '0',
  '\t',
]

/** One random text of the grammar, with the calls in its notes. */
export function walk(grammar: Grammar, random: Random, { words = PLAIN_WORDS }: WalkOptions = {}): Walked {
  const walker = new Walker(random, words)
  walker.write(grammar, 0)
  return walker.walked()
}

/** Below this depth the shortest way out is taken. */
const DEEP = 12

interface Said {
  readonly note: Note
  readonly begun: number
  readonly start: number
  end: number
}

class Walker {
  private readonly random: Random
  private readonly words: readonly string[]
  private readonly said: Said[] = []
  private text = ''
  private begun: number | null = null

  constructor(random: Random, words: readonly string[]) {
    this.random = random
    this.words = words
  }

  walked(): Walked {
    const { text } = this
    const calls: { name: string; arguments: Record<string, CallToWrite['arguments'][string]> }[] = []
    const places: { begun: number; start: number; end: number }[] = []
    for (const { note, begun, start, end } of this.said) {
      const of = text.slice(start, end)
      if (note.as === 'call' || note.as === 'name') {
        places.push({ begun, start, end })
        if (note.as === 'name') calls.push({ name: note.name, arguments: {} })
        else {
          const call = note.read(of)
          calls.push({ name: call.name, arguments: { ...call.arguments } })
        }
        continue
      }
      const last = calls.at(-1)
      const place = places.at(-1)
      if (!last || !place) continue
      place.end = end
      if (note.as === 'arguments') Object.assign(last.arguments, note.read(of))
      else last.arguments[note.key] = note.read(of)
    }
    return { text, calls, places }
  }

  write(node: Grammar, depth: number): void {
    switch (node.kind) {
      case 'lit':
        this.text += node.text
        return
      case 'chars':
        this.text += this.char(node)
        return
      case 'seq':
        for (const item of node.items) this.write(item, depth)
        return
      case 'alt':
        return this.write(depth > DEEP ? shortest(node.items) : this.random.pick(node.items), depth)
      case 'many':
        return this.many(node, depth)
      case 'text':
        return this.value(node, depth)
      case 'note': {
        const start = this.text.length
        const said = { note: node.note, begun: this.begun ?? start, start, end: start }
        this.said.push(said)
        this.write(node.of, depth)
        said.end = this.text.length
        return
      }
      case 'ref':
        return this.write(node.of(), depth + 1)
      case 'prose':
        return this.prose(node.prose, depth)
    }
  }

  private many({ of, min, max }: ManyNode, depth: number): void {
    let count = min
    if (depth <= DEEP) while (count < Math.min(max, min + 6) && this.random.chance(0.5)) count++
    for (let i = 0; i < count; i++) this.write(of, depth)
  }

  private char(node: CharsNode): string {
    if (!node.not) {
      const [from, to] = this.random.pick(node.ranges)
      return String.fromCodePoint(from + this.random.int(to - from + 1))
    }
    const fit = SAMPLE_CHARS.filter((char) => takesChar(node, char.codePointAt(0) ?? 0))
    return fit.length === 0 ? '\u{10fffd}' : this.random.pick(fit)
  }

  private value(node: TextNode, depth: number): void {
    for (let tries = 0; tries < 8; tries++) {
      const written = node.write(this.content(node), this.random)
      if (written !== null) {
        this.text += written
        return
      }
    }
    const plain = node.write('x'.repeat(Math.max(1, node.min)), this.random)
    if (plain === null) this.write(node.of, depth + 1)
    else this.text += plain
  }

  /** Words with as many characters as the value allows; never only a placeholder, which is not a value. */
  private content({ min, max }: TextNode): string {
    const all = Array.from({ length: this.random.int(6) }, () => this.random.pick(this.words)).join('')
    const units = Array.from(all)
    const cut = max === Infinity ? all : units.slice(0, max).join('')
    const missing = min - Array.from(cut).length
    const text = missing > 0 ? cut + 'x'.repeat(missing) : cut
    if (!isPlaceholder(text)) return text
    return max > Array.from(text).length ? `${text}x` : 'x'.repeat(Math.max(min, 1))
  }

  /** Words one by one, as far as the automaton accepts them; some of them are keywords of the form. */
  private prose(prose: Prose, depth: number): void {
    let at = prose.start
    const go = (step: ProseStep, char: string): void => {
      this.text += char
      if (step.body) {
        this.begun = this.text.length
        this.write(step.body, depth)
        this.begun = null
      }
      at = step.to
    }
    for (let count = this.random.int(10); count > 0; count--) {
      const own = prose.words.length > 0 && this.random.chance(0.5)
      for (const char of this.random.pick(own ? prose.words : this.words)) {
        const step = stepFor(prose.states[at], char)
        if (!step) break
        go(step, char)
        if (step.body) break
      }
    }
    for (let i = 0; prose.states[at]?.ends === false; i++) {
      const step = wayOut(prose, at)
      if (!step || i > prose.states.length) throw new Error('prose without an end')
      const char = step.on.not ? this.char(step.on) : String.fromCodePoint(step.on.ranges[0]?.[0] ?? 0)
      go(step, char)
    }
  }
}

const stepFor = (state: ProseState | undefined, char: string): ProseStep | undefined =>
  state?.steps.find(({ on }) => takesChar(on, char.codePointAt(0) ?? 0))

/** The first step of a shortest way to a state where the text may end. */
function wayOut({ states }: Prose, from: number): ProseStep | undefined {
  const seen = new Set([from])
  let edge: { readonly at: number; readonly first: ProseStep | undefined }[] = [{ at: from, first: undefined }]
  while (edge.length > 0) {
    const next: typeof edge = []
    for (const { at, first } of edge)
      for (const step of states[at]?.steps ?? []) {
        if (step.body || seen.has(step.to)) continue
        if (states[step.to]?.ends) return first ?? step
        seen.add(step.to)
        next.push({ at: step.to, first: first ?? step })
      }
    edge = next
  }
  return undefined
}

const heights = new WeakMap<object, number>()

/** The nesting depth of names in the shortest text of a part; Infinity while it is being computed. */
function height(node: Grammar): number {
  const known = heights.get(node)
  if (known !== undefined) return known
  heights.set(node, Infinity)
  const found = heightOf(node)
  if (found === Infinity) heights.delete(node)
  else heights.set(node, found)
  return found
}

function heightOf(node: Grammar): number {
  switch (node.kind) {
    case 'seq':
      return Math.max(0, ...node.items.map(height))
    case 'alt':
      return Math.min(...node.items.map(height))
    case 'many':
      return node.min === 0 ? 0 : height(node.of)
    case 'note':
    case 'text':
      return height(node.of)
    case 'ref':
      return 1 + height(node.of())
    default:
      return 0
  }
}

function shortest(items: readonly Grammar[]): Grammar {
  const all = items.map(height)
  return items[all.indexOf(Math.min(...all))] ?? { kind: 'lit', text: '' }
}

const SAMPLE_CHARS = ['a', 'Z', '0', ' ', '-', '.', 'é', '好', '😀', '"', '<', '\n']
