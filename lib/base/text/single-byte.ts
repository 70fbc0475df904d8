import { singleByteNames, type SingleByteName } from './encoding-names'

/*
 * Tells one-byte encodings apart. The bytes are decoded with each encoding and scored as each language that is
 * written in it: the rarer a letter is in that language, the more it costs, and most if no word has it. The cheapest
 * reading wins.
 */

interface Language {
  /** The letters outside ASCII, the most frequent first. */
  readonly letters: string
  /** Letters that only end a word. */
  readonly last?: string
  /** Words have no letters of ASCII. */
  readonly isApart?: boolean
}

const latin = (...all: readonly string[]): readonly Language[] => all.map((letters) => ({ letters }))
const apart = (letters: string, last = ''): readonly Language[] => [{ letters, last, isApart: true }]

const western = latin(
  'üäöß',
  'éèàêçîôâûïëùœæ',
  'áíóñéúü',
  'ãçáéíóõêâúôà',
  'àèùìòéó',
  'åäöæøé',
  'ëéïöüó',
  'äõüöšž',
  'áðíþóæéöúý',
)
const central = latin('łąężśóćńź', 'áíéěčřšžýůúťňďóľĺŕôä', 'áéóöőíüúű', 'ăîşâţ', 'čćšžđ')
const russian = apart('оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё')
const cyrillic = [
  ...russian,
  ...apart('оаинвітерсклумдпязбьгйчюхцжїєшщфґ'),
  ...apart('аиоенрстјувдкмплзгбчшцјњжљћхђџф'),
]

interface Reading {
  readonly languages: readonly Language[]
  /** An initial cost, higher for encodings that are less common. */
  readonly rarity: number
}

const readings: Readonly<Record<SingleByteName, Reading>> = {
  'windows-1252': { languages: western, rarity: 0 },
  'windows-1250': { languages: central, rarity: 0.5 },
  'windows-1251': { languages: cyrillic, rarity: 0 },
  'windows-1253': { languages: apart('αοιετνσηυρπκμλόίάέήγδωθχφβξύώζψϊϋςΐΰ', 'ς'), rarity: 0.5 },
  'windows-1254': { languages: latin('ıi̇şğüçöâîû'), rarity: 0.5 },
  'windows-1255': { languages: apart('יוהלארבשתמנםכדעחפקטצגןזסךץף', 'םןךץף'), rarity: 0.5 },
  'windows-1256': { languages: apart('اليمونرتبعةدسهفكقحأجشصطىپکگخإضزثذئغءظآؤچژ'), rarity: 0.5 },
  'windows-1257': { languages: latin('ėųšįūžąčę', 'āīēšūņķļžčģ', 'äõüöšž'), rarity: 1.2 },
  'windows-874': { languages: apart('านรกอเง่มยลว้ดทสัีติคบปะหแขจชพไใืุู็์ถผโำธณภซศฟญฐษฝฮฬฆฎฏ'), rarity: 0.5 },
  'iso-8859-2': { languages: central, rarity: 1 },
  'iso-8859-15': { languages: western, rarity: 0.5 },
  'koi8-r': { languages: russian, rarity: 0.5 },
  ibm866: { languages: russian, rarity: 1 },
  macintosh: { languages: western, rarity: 1 },
}

/** The beginning of a text is enough evidence. */
const evidenceBytes = 20_000
/** The cost of a character that no word of the language has. */
const unfit = 4

const isLetter = (sign: string): boolean => /[\p{L}\p{M}]/u.test(sign)
const isUpper = (sign: string): boolean => /\p{Lu}/u.test(sign)
const isLower = (sign: string): boolean => /\p{Ll}/u.test(sign)
const isBeyond = (sign: string): boolean => sign > '\u007f'

/** Quotation marks and signs that stand beside letters, too. */
const beside = /[\u2018-\u201e\u2026\u00a0\u00ab\u00bb\u2039\u203a]/
const ordinary = /[\u2010-\u2017\u2022\u20ac\u2116\u2122\u00a9\u00ae\u00a7\u00b0]/

/** A character outside ASCII, its neighbours, and how many letters precede it. */
interface Place {
  readonly sign: string
  readonly before: string
  readonly next: string
  readonly run: number
}

/** Signs other than letters: `m²` and `£5` are common, `Micha³` and `£ódŸ` are not. */
function costOfSign({ sign, before, next, run }: Place): number {
  if (/[\u0080-\u009f\ufffd\ue000-\uf8ff\u2500-\u259f]/.test(sign)) return unfit
  const isAfterAnother = isBeyond(before) && !isLetter(before)
  if (beside.test(sign)) return isAfterAnother ? 1.5 : 0.3
  if (ordinary.test(sign) && isLetter(before) && isLetter(next)) return unfit
  if (ordinary.test(sign)) return isLetter(next) || isAfterAnother ? 1.5 : 0.3
  if (sign === '¿' || sign === '¡') return run === 0 ? 0.3 : unfit
  return isLetter(next) || run > 2 || isBeyond(before) ? unfit : 0.6
}

function costOfLetter(place: Place, { letters, last = '', isApart = false }: Language): number {
  const { sign, before, next } = place
  const rank = letters.indexOf(sign.toLowerCase())
  if (rank < 0 || (isUpper(sign) && isLower(before)) || (isLower(sign) && isUpper(next))) return unfit
  if ((last.includes(sign) && isLetter(next)) || (sign === before && sign === next)) return unfit
  // A word in capitals is less common, but not an error.
  const capital = isUpper(sign) && isLetter(before) ? (isUpper(before) && !isLower(next) ? 0.05 : 0.4) : 0
  if (isApart) return /[a-z]/i.test(before + next) ? unfit : (3 * rank) / letters.length + capital
  // Words have few of these letters, so they are seldom beside each other.
  const together = isBeyond(before) && isLetter(before) ? 1.5 : 0
  return 0.2 + 0.1 * Math.min(rank, 8) + together
}

/** Bytes of Windows-1252 that some systems read as controls. */
const missingSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function textIn(encoding: SingleByteName, data: Uint8Array): string {
  const text = new TextDecoder(encoding).decode(data)
  return encoding === 'windows-1252'
    ? text.replaceAll(/[\u0080-\u009f]/g, (sign) => missingSigns[sign.charCodeAt(0) - 0x80] ?? sign)
    : text
}

function placesOf(text: string): readonly Place[] {
  const places: Place[] = []
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isBeyond(sign)) places.push({ sign, before: text[at - 1] ?? '', next: text[at + 1] ?? '', run })
    run = isLetter(sign) ? run + 1 : 0
  }
  return places
}

export interface SingleByteGuess {
  readonly encoding: SingleByteName
  /** The mean cost of a character outside ASCII: about 0.4 in western texts and 1 in others; 2 is improbable. */
  readonly cost: number
}

/** The encoding in which the bytes are the likeliest text. */
export function guessSingleByte(whole: Uint8Array): SingleByteGuess {
  const data = whole.subarray(0, evidenceBytes)
  let best = { encoding: singleByteNames[0] as SingleByteName, total: Number.POSITIVE_INFINITY, cost: unfit }
  for (const encoding of singleByteNames) {
    const places = placesOf(textIn(encoding, data))
    const { languages, rarity } = readings[encoding]
    const letters = places.filter(({ sign }) => isLetter(sign)).length
    for (const language of languages) {
      // Words with the letters a–z contain few other letters; two bytes alone are not a word.
      const isWritten =
        language.isApart === true ? letters > 2 && letters * 2 > places.length : places.length <= data.length / 2
      if (!isWritten) continue
      let cost = 0
      for (const place of places) cost += isLetter(place.sign) ? costOfLetter(place, language) : costOfSign(place)
      if (cost + rarity < best.total) best = { encoding, total: cost + rarity, cost: cost / Math.max(1, places.length) }
    }
  }
  return { encoding: best.encoding, cost: best.cost }
}
