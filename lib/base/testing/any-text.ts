import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/** Any code point but half a surrogate pair. */
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count))

/** Characters that programs treat in a way of their own: marks, line ends, joiners, direction, private use, digits. */
const odd = fc.constantFrom(
  ...'\u{feff} \u{fffe} \u{fffd} \u{0} \u{1b} \u{85} \u{a0} \u{ad} \u{200b} \u{200d} \u{202e} \u{2028} \u{2029} \u{2066} \u{3000}'.split(
    ' ',
  ),
  ...'\u{e000} \u{e0041} ½ ⑴ ŀ ﬀ ß İ ı ſ K Å 가 e\u{301} é 文 字 🏳️‍🌈 👩‍💻'.split(' '),
)

/**
 * Text of any characters. fast-check's own unit `binary` makes a table of all characters, which takes 125 MB and over a
 * second in each process.
 */
export const anyText = (
  sizes: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> =>
  fc.string({ ...sizes, unit: fc.oneof({ weight: 4, arbitrary: codePoint }, { weight: 1, arbitrary: odd }) })
