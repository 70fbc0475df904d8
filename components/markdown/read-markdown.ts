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
 * A text that is one block of code and nothing else, finished or not; null for any other. Code is most of what is long in
 * a reply, and read this way it costs one look at each line.
 */
export function soleFence(text: string): SoleFence | null {
  const match = opening.exec(text)
  if (!match || text.includes('\r')) return null
  const [whole, marks = '', lang = '', meta = ''] = match
  // Escapes and entities in it are for the reader.
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
 * Bare addresses end where text of a language without spaces continues: `见https://example.org/a。后面` links `https://example.org/a`.
 * GitHub's rule ends an address at a space alone. Percent-encoded letters are ASCII and stay, and so does a part that begins
 * with such letters, as in `https://example.org/wiki/中国`; what follows the letters of a part without a sign between them is text.
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

/** Letters of Chinese, Japanese and Korean. */
const letters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}ー々〆〇]/u
/** Signs of such a text, and quotation marks, dashes and dots of any other; those of an address are ASCII. */
const signs = /[^\P{P}\p{ASCII}]|[\u3000\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffe6]/u
/** Behind one of these a part of an address begins. In the name of a host that is also its dot. */
const partBegin = /[/?#=&+%:@_~-]/

/** Longer ones are not looked through. */
const maxAddress = 4_000

/** Where the address that begins at `from` ends at the latest: at `text.length` where a space or its own rule ends it. */
function endOfAddress(text: string, from: number): number {
  let before = ''
  let inHost = true
  /** The part began with letters of such a language. */
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
 * Parts of a text, each with no more than one end of an address in it, at its own end: what looks for addresses in a text that was read
 * finds none beyond it.
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

/** Takes the constructs that read bare addresses, and ends each of them where `endOfAddress` says. */
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

/** To the construct, the end of an address looks like the end of the text. */
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
      // The construct looks at the sign before it once more.
      const context = isForeign(this.previous)
        ? (Object.create(this, { previous: { value: null } }) as typeof this)
        : this
      if (end === text.length) return construct.tokenize.call(context, effects, ok, nok)
      let real: Code = null
      /** Runs what `tokenize` begins until it comes to an end itself; `see` is what it is shown of each sign. */
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

/** What a tree may hold. Beyond, drawing it would take the page longer than a frame; the text shows as written then. */
export const treeLimits = { maxNodes: 4_000, maxDepth: 40, maxRows: 100 } as const

// One tilde is what is written in H~2~O; two strike through.
const tildes = { singleTilde: false }
const github = gfm(tildes)
// Marks beside Chinese, Japanese and Korean signs emphasise too: these languages have no spaces beside them.
const besideCjk = [cjkFriendlyExtension(), gfmStrikethroughCjkFriendly(tildes)]
// Addresses that were not read as such are looked for once more: only as far as they go.
const mdastExtensions = [{ transforms: [cutTexts] }, gfmFromMarkdown()]

/**
 * The tree of `text`, or null where its shape is too much for the reader or for a page. Some shapes take time that grows
 * with the square of their length: `isCheap` says what may be read where someone waits.
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
    // Nested so deep that the reader, which calls itself, runs out of room.
    return null
  }
}

function treeOf(text: string): MarkdownRoot {
  const extensions = [boundedAddresses(github, text), ...besideCjk, writtenMath(text)]
  return fromMarkdown(text, { extensions, mdastExtensions })
}

const holdsBlocks: ReadonlySet<string> = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

/** A line that is `<br>` alone makes HTML of all lines behind it: they are read by themselves. */
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

/** About as many nodes as a formula becomes, in tens: one letter of it is several. */
const formulaParts = (raw: string): number => (raw.startsWith('<') ? 1 : 8 + raw.length / 3)

/** Takes places out, makes text of what nests too deep, and counts what would be drawn at once. */
function fitsPage(root: MarkdownRoot, text: string): boolean {
  let drawn = 0
  let all = 0
  const walk = (node: MarkdownNode | MarkdownRoot, depth: number, folded: boolean, inCell = false): boolean => {
    all += 1
    // GitHub's way to write a bar in a cell.
    if (inCell && node.type === 'html') node.value = node.value.replaceAll('\\|', '|')
    if (!folded) drawn += node.type === 'html' ? formulaParts(node.value) : 1
    // A fold holds rows back until they are asked for; they still cross to the page.
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
