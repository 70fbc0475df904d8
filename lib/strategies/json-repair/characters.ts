/** Character classes of tolerant JSON. All take UTF-16 units; -1 (the end) belongs to none. */

export const QUOTE = 0x22

/** Opening quote → the quotes that close it. */
const CLOSERS = new Map<number, readonly number[]>([
  [0x22, [0x22]],
  [0x27, [0x27]],
  [0x60, [0x60]],
  [0x201c, [0x201d, 0x201c]],
  [0x201d, [0x201d]],
  [0x201e, [0x201d, 0x201c]],
  [0x2018, [0x2019]],
  [0x2019, [0x2019]],
  [0xff02, [0xff02]],
])

export const closersOf = (code: number): readonly number[] | undefined => CLOSERS.get(code)
export const isQuote = (code: number): boolean =>
  code === 0x22 || code === 0x27 || code === 0x60 || (code >= 0x2018 && CLOSERS.has(code))
export const isColon = (code: number): boolean => code === 0x3a || code === 0xff1a
export const isComma = (code: number): boolean => code === 0x2c || code === 0xff0c
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** What a key or a bare word may consist of: letters of any script, digits, `_ $ . -`. */
export function isWordPart(code: number): boolean {
  if (code < 0) return false
  if (code < 0x80)
    return (
      isDigit(code) ||
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0x61 && code <= 0x7a) ||
      code === 0x5f ||
      code === 0x24 ||
      code === 0x2e ||
      code === 0x2d
    )
  if (code < 0xc0) return false
  return (
    !(code >= 0x2000 && code <= 0x206f) &&
    !(code >= 0x3000 && code <= 0x303f) &&
    !(code >= 0xff00 && code <= 0xff0f) &&
    code !== 0xff1a &&
    code !== 0xfeff
  )
}
