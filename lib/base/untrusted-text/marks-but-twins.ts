import { plural } from '@/lib/base/text/locale'
import { hiddenKind, neededUnits, codePointLabel, type Mark, type MarkKind, type TextKind, addressesIn } from './mark'

/** Consecutive blanks from which on the text beside them may be out of view; indentation may be longer. */
const LONG_BLANKS = 40
const LONG_INDENT = 120
/** Combining marks on one letter; more than this is not ordinary writing. */
const PILE = { code: 3, name: 3, prose: 8 } as const

/** A text without a match here has no marks. */
const suspicious = /[^\n\x20-\x7e]| {41}/
const suspiciousInNames = /[^\x20-\x7e]| {2}|^ | $/

/**
 * All marks for a text except look-alikes, in order; no two overlap. In prose, addresses are read as names, and letters
 * of two scripts in one word of an address are marked, which needs no look-alike table.
 */
export function marksButTwins(text: string, reading: TextKind): readonly Mark[] {
  if (!(reading === 'name' ? suspiciousInNames : suspicious).test(text)) return []
  const hidden = reading === 'prose' ? hiddenInProse(text) : hiddenMarks(text, reading)
  return joined([...hidden, ...blankMarks(text, reading)].toSorted((a, b) => a.start - b.start))
}

function hiddenInProse(text: string): readonly Mark[] {
  const addresses = [...addressesIn(text)]
  if (addresses.length === 0) return hiddenMarks(text, 'prose')
  const marks: Mark[] = []
  const add = (found: readonly Mark[], by: number) =>
    marks.push(...found.map((mark) => ({ ...mark, start: mark.start + by, end: mark.end + by })))
  let at = 0
  for (const { index, address } of addresses) {
    add(hiddenMarks(text.slice(at, index), 'prose'), at)
    add(hiddenMarks(address, 'name'), index)
    add(lettersOfTwoScripts(address), index)
    at = index + address.length
  }
  add(hiddenMarks(text.slice(at), 'prose'), at)
  return marks
}

const word = /[\p{L}\p{M}\p{N}]+/gu
const shapedAsLatin = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu

/** `p\u0430ypal`: nobody mixes these scripts with Latin in one word. */
function lettersOfTwoScripts(address: string): readonly Mark[] {
  return [...address.matchAll(word)].flatMap(({ 0: it, index }) =>
    /\p{Script=Latin}/u.test(it)
      ? [...it.matchAll(shapedAsLatin)].map(({ 0: letter, index: within }): Mark => {
          const start = index + within
          const label = codePointLabel(letter.codePointAt(0) ?? 0)
          return { kind: 'look-alike', start, end: start + letter.length, count: 1, label }
        })
      : [],
  )
}

function hiddenMarks(text: string, reading: TextKind): Mark[] {
  const marks: Mark[] = []
  let before = ''
  let base = ''
  let pile = 0
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0
    if (code < 0x7f && code >= 0x20) {
      before = base = text.charAt(at)
      pile = 0
      at += 1
      continue
    }
    const character = String.fromCodePoint(code)
    const isMark = /^\p{M}$/u.test(character)
    pile = isMark ? pile + 1 : 0
    let end = at + character.length
    let kind = hiddenKind(character, reading)
    if (code === 0x0d && reading !== 'name' && text.charAt(end) === '\n') kind = null
    if (kind === 'invisible') {
      const needed = neededUnits(text, at, before, reading)
      if (needed > 0) {
        kind = null
        end = at + needed
      }
    } else if (
      kind === null &&
      isMark &&
      (isEnclosing(text, at, base, reading) || isPiled(character, base, pile, reading))
    ) {
      kind = 'piled'
    }
    // Syllables that are spelled in parts have a look-alike of one character.
    else if (kind === null && reading !== 'prose' && /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7fb]/.test(character)) {
      kind = 'piled'
    }
    if (kind) marks.push({ kind, start: at, end, count: 1, label: codePointLabel(code) })
    if (!isMark) base = character
    // A marked character can't carry the next one: a selector needs its emoji right before it.
    before = kind ? '' : character
    at = end
  }
  return marks
}

/** Drawn around a letter or a digit, such as a circle, a box or a stroke; a keycap is an emoji. */
function isEnclosing(text: string, at: number, base: string, reading: TextKind): boolean {
  const code = text.codePointAt(at) ?? 0
  if (!/^\p{Me}$/u.test(String.fromCodePoint(code))) return false
  return !(reading === 'prose' && code === 0x20e3 && /^[0-9#*]$/.test(base) && text.charAt(at - 1) === '\ufe0f')
}

/**
 * A combining mark that is not ordinary writing: too many, without a base, over a written letter, or with a
 * single-character look-alike.
 */
function isPiled(character: string, base: string, pile: number, reading: TextKind): boolean {
  if (pile > PILE[reading]) return true
  if (reading === 'prose') return false
  if (base === '' || /\s/.test(base)) return true
  if (/^[\u0334-\u0338\u20d2-\u20d4\u20d8-\u20e1\u20e4-\u20f0]$/.test(character)) return true
  // `e` with a combining accent and the single letter `é` look the same, but are two names.
  return pile === 1 && Array.from((base + character).normalize('NFC')).length === 1
}

function blankMarks(text: string, reading: TextKind): Mark[] {
  if (reading === 'name') {
    const long = [...text.matchAll(/^ +| +$| {2,}/g)]
    return long.map((match) => blanksAt(match.index, match[0].length))
  }
  const marks: Mark[] = []
  for (const match of text.matchAll(/[ \t]{41,}/g)) {
    const end = match.index + match[0].length
    const isIndent = match.index === 0 || /[\n\r]/.test(text.charAt(match.index - 1))
    const isTail = end === text.length || /[\n\r]/.test(text.charAt(end))
    if (isTail || match[0].length <= (isIndent ? LONG_INDENT : LONG_BLANKS)) continue
    marks.push(blanksAt(match.index, match[0].length))
  }
  return marks
}

const blanksAt = (start: number, count: number): Mark => ({
  kind: 'blank',
  start,
  end: start + count,
  count,
  label: plural(count, { one: 'blank', other: `${count} blanks` }),
})

const joinable: ReadonlySet<MarkKind> = new Set(['invisible', 'direction', 'control', 'blank', 'meaningless', 'piled'])

/** Joins repeated marks of the same character, so that a thousand of them push nothing out of view. */
function joined(marks: readonly Mark[]): Mark[] {
  const result: Mark[] = []
  for (const mark of marks) {
    const last = result.at(-1)
    const single = last?.label.replace(/ × .*/, '')
    if (
      last &&
      joinable.has(mark.kind) &&
      last.end === mark.start &&
      last.kind === mark.kind &&
      single === mark.label
    ) {
      const count = last.count + 1
      result[result.length - 1] = { ...last, end: mark.end, count, label: `${mark.label} × ${count}` }
    } else result.push(mark)
  }
  return result
}
