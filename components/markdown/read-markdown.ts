import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import { gfm } from 'micromark-extension-gfm'
import { cutLeadingBreaks, withInlineElements, type MarkdownNode, type MarkdownRoot } from './inline-html'
import { mendFences } from './nested-fences'
import { writtenMath } from './written-math'

interface SoleFence {
  readonly lang: string | null
  readonly meta: string | null
  readonly value: string
}

const opening = /^(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*([^\n`]*)\n/

/**
 * A text that is exactly one code block, finished or not; null otherwise. Most long replies are code, and this parses
 * it with one test per line.
 */
export function soleFence(text: string): SoleFence | null {
  const match = opening.exec(text)
  if (!match || text.includes('\r')) return null
  const [whole, marks = '', lang = '', meta = ''] = match
  // Escapes and entities in it need the full parser.
  if (/[\\&]/.test(lang + meta)) return null
  const lines = text.slice(whole.length).split('\n')
  const end = lines.findIndex((line) => closes(line, marks))
  if (end >= 0 && lines.slice(end + 1).some((line) => line.trim() !== '')) return null
  const code = end >= 0 ? lines.slice(0, end) : lines
  if (end < 0 && code.at(-1) === '') code.pop()
  return { lang: lang || null, meta: meta.trim() || null, value: code.join('\n') }
}

function closes(line: string, marks: string): boolean {
  const text = line.replace(/^ {0,3}/, '').trimEnd()
  return text.length >= marks.length && text.replaceAll(marks.charAt(0), '') === ''
}

/*
 * Ends bare addresses where a language without spaces continues: `见https://example.org/a。后面` links
 * `https://example.org/a`. GitHub's rule ends an address only at a space. Percent-encoded characters are ASCII and
 * stay. So does a part that starts with such letters, as in `https://example.org/wiki/中国`; letters that follow a part
 * without a separator are text.
 */

type Extension = ReturnType<typeof gfm>
type Record = NonNullable<Extension['text']>
type Constructs = NonNullable<Record[string]>
type Construct = Exclude<Constructs, readonly unknown[]>
type Effects = Parameters<Construct['tokenize']>[0]
type Tokenize = Construct['tokenize']
type State = Parameters<Tokenize>[1]
type Code = Parameters<State>[0]

interface Ends {
  readonly ok: State
  readonly nok: State
}

/** Chinese, Japanese and Korean letters. */
const letters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}ー々〆〇]/u
/** Punctuation of such text, and non-ASCII quotation marks, dashes and dots of any text; an address uses ASCII. */
const signs = /[^\P{P}\p{ASCII}]|[\u3000\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffe6]/u
/** A part of an address starts after one of these. In a host name, also after a dot. */
const partBegin = /[/?#=&+%:@_~-]/

/** Longer addresses are not examined. */
const maxAddress = 4_000

/** The latest end of the address that starts at `from`: `text.length` if a space or its own rule ends it. */
function endOfAddress(text: string, from: number): number {
  let before = ''
  let inHost = true
  /** The part started with letters of such a language. */
  let isForeign = false
  for (const character of text.slice(from, from + maxAddress)) {
    if (/\s/.test(character)) break
    if (signs.test(character)) return from
    const isLetter = letters.test(character)
    if (isLetter && !isForeign) {
      const begins = partBegin.test(before) || (inHost && before === '.')
      if (!begins) return from
    }
    if (isLetter) isForeign = true
    else if (partBegin.test(character) || character === '.') {
      isForeign = false
      if (/[/?#]/.test(character) && before !== '/' && before !== ':') inHost = false
    }
    before = character
    from += character.length
  }
  return text.length
}

const begin = /(?<![\da-z])(?:https?:\/\/|www\.)/gi

/**
 * Parts of a text that each contain at most one end of an address, at their own end, so that a later search for
 * addresses can't go beyond it.
 */
function cutBehindAddresses(text: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  for (const { index } of text.matchAll(begin)) {
    const end = index < from ? text.length : endOfAddress(text, index)
    if (end === text.length) continue
    parts.push(text.slice(from, end))
    from = end
  }
  return [...parts, text.slice(from)]
}

/** Wraps the constructs that parse bare addresses, and ends each where `endOfAddress` says. */
function boundedAddresses(extension: Extension, text: string): Extension {
  const bound = (construct: Construct): Construct =>
    construct.name === 'protocolAutolink' || construct.name === 'wwwAutolink' ? bounded(construct, text) : construct
  const entries = Object.entries(extension.text ?? {}).map(([code, of]) => [
    code,
    of === undefined ? of : isList(of) ? of.map(bound) : bound(of),
  ])
  return { ...extension, text: Object.fromEntries(entries) as Record }
}

const isList = (of: Constructs): of is readonly Construct[] & Constructs => Array.isArray(of)

const isForeign = (code: number | null): boolean => {
  const character = code === null || code < 0 ? '' : String.fromCharCode(code)
  return letters.test(character) || signs.test(character)
}

/** Makes the end of an address look like the end of the text to the construct. */
function bounded(construct: Construct, text: string): Construct {
  // A byte order mark is not counted.
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  return {
    ...construct,
    previous(code) {
      return isForeign(code) || construct.previous?.call(this, code) !== false
    },
    tokenize(effects, ok, nok) {
      const place = () => this.now().offset + shift
      const end = endOfAddress(text, place())
      // The construct checks the previous character again.
      const context = isForeign(this.previous)
        ? (Object.create(this, { previous: { value: null } }) as typeof this)
        : this
      if (end === text.length) return construct.tokenize.call(context, effects, ok, nok)
      let real: Code = null
      /** Runs the state of `tokenize` until it ends by itself; `see` maps each character that it gets. */
      const run = (
        tokenize: Tokenize,
        on: typeof this,
        given: Effects,
        ends: Ends,
        see: (code: Code) => Code,
      ): State => {
        let isOver = false
        const leaving =
          (state: State): State =>
          () => {
            isOver = true
            return state(real)
          }
        const step =
          (state: State): State =>
          (code) => {
            const next = state(see(code))
            return next && !isOver ? step(next) : next
          }
        return step(tokenize.call(on, given, leaving(ends.ok), leaving(ends.nok)))
      }
      const shown = (code: Code): Code => (place() >= end ? null : code)
      const within = (inner: Construct): Construct => ({
        ...inner,
        tokenize(given, yes, no) {
          return run(inner.tokenize, this, around(given), { ok: yes, nok: no }, shown)
        },
      })
      const around = (given: Effects): Effects => ({
        ...given,
        attempt: (inner, yes, no) => given.attempt(isOne(inner) ? within(inner) : inner, yes, no),
        check: (inner, yes, no) => given.check(isOne(inner) ? within(inner) : inner, yes, no),
      })
      return run(construct.tokenize, context, around(effects), { ok, nok }, (code) => shown((real = code)))
    },
  }
}

const isOne = (inner: Parameters<Effects['attempt']>[0]): inner is Construct =>
  'tokenize' in inner && typeof inner.tokenize === 'function'

export type { MarkdownNode, MarkdownRoot } from './inline-html'

/**
 * The most that a tree may contain. A larger one would block the page longer than a frame; the text is then shown as
 * written.
 */
export const treeLimits = { maxNodes: 4_000, maxDepth: 40, maxRows: 100 } as const

// One tilde is used as in H~2~O; two strike through.
const tildes = { singleTilde: false }
const github = gfm(tildes)
// Marks beside Chinese, Japanese and Korean characters emphasize too, because these languages have no spaces there.
const besideCjk = [cjkFriendlyExtension(), gfmStrikethroughCjkFriendly(tildes)]
// Addresses that the parser missed are searched again, only up to their end.
const mdastExtensions = [{ transforms: [cutTexts] }, gfmFromMarkdown()]

/**
 * The tree of `text`, or null if its shape is too expensive for the parser or a page. Some shapes take quadratic time:
 * use `isCheap` before parsing on the main thread.
 */
export function readMarkdown(text: string): MarkdownRoot | null {
  const mended = mendFences(text)
  const fence = soleFence(mended.text)
  if (fence) return { type: 'root', children: [{ type: 'code', ...fence }] }
  try {
    const root = treeOf(mended.text)
    if (!fitsPage(root, mended.text)) return null
    for (const { position } of root.children) {
      if (position) position.start.offset = mended.placeOf(position.start.offset ?? 0)
    }
    return root
  } catch {
    // Nested so deeply that the recursive parser overflows its stack.
    return null
  }
}

function treeOf(text: string): MarkdownRoot {
  const extensions = [boundedAddresses(github, text), ...besideCjk, writtenMath(text)]
  return fromMarkdown(text, { extensions, mdastExtensions })
}

const holdsBlocks: ReadonlySet<string> = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/** A line with only `<br>` turns all following lines into HTML, so they are parsed separately. */
function behindBreaks(node: MarkdownNode): MarkdownNode[] {
  const cut = node.type === 'html' ? cutLeadingBreaks(node.value) : null
  if (!cut) return [node]
  const position = node.position && { position: node.position }
  const breaks = Array.from({ length: cut.breaks }, () => ({ type: 'break' as const }))
  const below = treeOf(cut.rest).children.map((child) => ({ ...child, ...position }))
  return [{ type: 'paragraph', children: breaks, ...position }, ...below]
}

function cutTexts(parent: MarkdownRoot): undefined {
  const walk = (node: MarkdownRoot | MarkdownNode): void => {
    if (!('children' in node) || node.type === 'link' || node.type === 'linkReference') return
    for (const child of node.children) walk(child)
    if (!node.children.some((child) => child.type === 'text' && mayHoldAddress.test(child.value))) return
    const cut = node.children.flatMap((child): MarkdownNode[] =>
      child.type === 'text' ? cutBehindAddresses(child.value).map((value) => ({ type: 'text', value })) : [child],
    )
    node.children = cut as never
  }
  walk(parent)
}

const mayHoldAddress = /https?:|www\./i

/** About how many nodes a formula becomes, in tens: one letter becomes several. */
const formulaParts = (raw: string): number => (raw.startsWith('<') ? 1 : 8 + raw.length / 3)

/** Removes positions, turns too deep nesting into text, and counts what would be rendered at once. */
function fitsPage(root: MarkdownRoot, text: string): boolean {
  let drawn = 0
  let all = 0
  const walk = (node: MarkdownNode | MarkdownRoot, depth: number, folded: boolean, inCell = false): boolean => {
    all += 1
    // GitHub's escape for a bar in a cell.
    if (inCell && node.type === 'html') node.value = node.value.replaceAll('\\|', '|')
    if (!folded) drawn += node.type === 'html' ? formulaParts(node.value) : 1
    // Collapsed rows are not rendered at first, but are still posted to the page.
    if (drawn > treeLimits.maxNodes || all > treeLimits.maxNodes * 5) return false
    if ('children' in node) {
      const blocks = holdsBlocks.has(node.type) ? node.children.flatMap(behindBreaks) : node.children
      node.children = withInlineElements(blocks) as never
      if (depth >= treeLimits.maxDepth) {
        const { start, end } = node.position ?? {}
        const source = text.slice(start?.offset ?? 0, end?.offset ?? 0)
        node.children = [{ type: 'text', value: source }] as never
      }
      const children: readonly MarkdownNode[] = node.children
      const rows = node.type === 'table' || node.type === 'list'
      for (const [index, child] of children.entries()) {
        if (
          !walk(child, depth + 1, folded || (rows && index >= treeLimits.maxRows), inCell || node.type === 'tableCell')
        )
          return false
      }
    }
    if (depth !== 1) delete node.position
    return true
  }
  return walk(root, 0, false)
}
