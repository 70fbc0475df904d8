import { type TextKind, addressesIn } from './mark'

/*
 * Letters and signs that look like others. Checked only where it matters what a name *is* (code, paths, keys,
 * addresses), and only within a word that mixes scripts, so that Russian, Greek or Chinese text stays unmarked. The
 * pairs are those of UTS 39 between Latin and the scripts that share its shapes. Not detected: `rn` for `m`, `l` for
 * `1`, and look-alikes of single fonts.
 */

const word = /[\p{L}\p{M}\p{N}_$]+/gu
const latin = /\p{Script=Latin}/u
const asciiOnly = /^[\u0020-\u007e]*$/

/** Letters of other scripts that look like the Latin letter at the same position of the second line. */
const twins = new Map<string, string>()
const pair = (others: string, latins: string) => {
  const to = Array.from(latins)
  for (const [index, letter] of Array.from(others).entries()) twins.set(letter, to[index] ?? '')
}
// Cyrillic
pair('аеорсухѕіјһԁԛԝѵӏіԍкмтвнпгьзѡүҽꙇӡ', 'aeopcyxsijhdqwvliGkmtBHnrb3wyei3')
pair('АВЕЅІЈКМНОРСТУХҮԌԚԜѴӀЗЬԀ', 'ABESIJKMHOPCTYXYGQWVI3bd')
// Greek
pair('ονικρυχαγηωτσϲϳυεβϱϵ', 'ovikpuxaynwtocjuebpe')
pair('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ', 'ABEZHIKMNOPTYXCJ')
// Armenian, Cherokee, Lisu, Coptic
pair('ոսօհցգղւքԼՏՍՕ', 'nuohgqnlfLSUO')
pair('ᎠᎡᎢᎪᎫᎬᎳᎷᎻᎽᏀᏃᏎᏏᏒᏔᏙᏚᏞᏟᏢᏦᏮᏴ', 'DRTAJEWMHYGZ4bRWVSLCPKGB')
pair('ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓞꓟꓠꓡꓢꓣꓤꓥꓦꓧꓨꓩꓪꓫꓬꓮꓰꓲꓳꓴꓵꓶꓷꓸꓹ', 'BPdDTGKJCZFFMNLSRRVVHGPWXYAEIOUULD..')
pair('ⲞⲟⲢⲣⲤⲥⲦⲨⲬⲀⲎⲒⲔⲘⲚ', 'OoPpCcTYXAHIKMN')

/** Scripts that nobody mixes with Latin in one word, and that share its shapes. */
const strange =
  /[\p{Script=Armenian}\p{Script=Georgian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Deseret}\p{Script=Lisu}\p{Script=Osage}\p{Script=Canadian_Aboriginal}\p{Script=Tifinagh}\p{Script=Warang_Citi}\p{Script=Gothic}\p{Script=Old_Italic}\p{Script=Vai}\p{Script=Ogham}\p{Script=Runic}\p{Script=Lydian}\p{Script=Carian}\p{Script=Lycian}]/u

/**
 * Signs and letters that look like an ASCII character: `;` `` ` `` `K`, dots, slashes, bars, colons, hyphens, and
 * phonetic letters.
 */
const signs = new Set(
  '\u037e\u1fef\u212a\u2024\ufe52\u2215\u2044\u29f8\u2571\ufe68\u29f5\u29f9\u01c3\u01c0\u2223\ua789\u2236\u02d0\u05c3\u0589' +
    '\ua78c\u2010\u2011\u2212\u02d7\u201a\ua4f9\u2039\u203a\u02c2\u02c3\u2217\u066d\ua60c\ua4ff\u30a0\u2768\u2769\u0237\u026a' +
    '\u0251\u0261\u0269\u1d04\u1d0f\u1d20\u1d21\u1d22\ua731' +
    // Small capitals
    '\u1d00\u0299\u1d05\u1d07\ua730\u0262\u029c\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d18\u0280\u1d1b\u1d1c\u028f',
)
/** Signs of ordinary text, marked only in names. */
const signsInNames = /^[\u2039\u203a\u201a\u2010\u2011\u2212\u2223\u2217\u30a0\u05c3\u0589]$/

export interface LookAlike {
  readonly start: number
  readonly end: number
  readonly letter: string
}

/** The look-alike letters and signs of a text; in prose, only those within addresses. */
export function lookAlikes(text: string, reading: TextKind): readonly LookAlike[] {
  if (asciiOnly.test(text)) return []
  if (reading === 'prose') {
    return [...addressesIn(text)].flatMap(({ index, address }) =>
      lookAlikes(address, 'name').map(({ start, end, letter }) => ({ start: index + start, end: index + end, letter })),
    )
  }
  const found = new Map<number, LookAlike>()
  const add = (start: number, letter: string) => found.set(start, { start, end: start + letter.length, letter })
  for (const { index, letter } of lettersOf(text)) if (passesAlone(letter, reading)) add(index, letter)

  const words = [...text.matchAll(word)].map((match) => ({ index: match.index, text: match[0] }))
  const plainWords = new Set(words.filter(({ text: it }) => asciiOnly.test(it)).map(({ text: it }) => it))
  for (const { index, text: it } of words) {
    if (asciiOnly.test(it)) continue
    const isMixed = latin.test(it)
    const letters = lettersOf(it).filter(
      ({ letter }) => twins.has(letter) || (isMixed && (strange.test(letter) || /\p{Nd}/u.test(letter))),
    )
    if (letters.length === 0) continue
    if (isMixed || isDisguise(it, text, reading, plainWords)) {
      for (const { index: at, letter } of letters) add(index + at, letter)
    }
  }
  return [...found.values()].toSorted((a, b) => a.start - b.start)
}

function lettersOf(text: string): readonly { readonly index: number; readonly letter: string }[] {
  const letters: { index: number; letter: string }[] = []
  let index = 0
  for (const letter of text) {
    if (letter > '\u007e') letters.push({ index, letter })
    index += letter.length
  }
  return letters
}

/** A letter or digit that looks like an ASCII character, whatever is beside it. */
function passesAlone(letter: string, reading: TextKind): boolean {
  if (signs.has(letter)) return reading === 'name' || !signsInNames.test(letter)
  const code = letter.codePointAt(0) ?? 0
  if (code === 0xaa || code === 0xba) return false
  const isStyled = (code >= 0x2100 && code <= 0x214f) || /\p{ID_Continue}/u.test(letter)
  // Another code point with the same drawing: the ohm sign and Omega.
  const canonical = letter.normalize('NFC')
  if (canonical !== letter && Array.from(canonical).length === 1) return true
  const plain = letter.normalize('NFKC')
  if (plain.length !== 1) return false
  // Chinese and Japanese use wide punctuation; in a name it passes for a separator.
  const isWide = code >= 0xff01 && code <= 0xff5e
  return /[A-Za-z0-9_]/.test(plain) ? isStyled : isWide && reading === 'name' && /[./\\:~-]/.test(plain)
}

/**
 * A whole word of look-alikes. In code: if the Latin word that it looks like occurs too. In a name: if nothing shows
 * that the name is in the other script.
 */
function isDisguise(it: string, text: string, reading: TextKind, plainWords: ReadonlySet<string>): boolean {
  const letters = Array.from(it)
  if (!letters.every((letter) => twins.has(letter) || letter <= '\u007e')) return false
  if (reading === 'code') return plainWords.has(letters.map((letter) => twins.get(letter) ?? letter).join(''))
  return !Array.from(text).some((letter) => letter > '\u007e' && /\p{L}/u.test(letter) && !twins.has(letter))
}

/**
 * Normalizes a text to its look: two texts with the same look can't be told apart by eye. Drops hidden characters, maps
 * look-alikes to ASCII, and treats all blanks alike.
 */
export const lookOf = (text: string): string =>
  Array.from(
    text
      .normalize('NFKC')
      .replaceAll(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, (sign) => (/\s/.test(sign) ? ' ' : '')),
    (letter) => twins.get(letter) ?? letter,
  )
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
