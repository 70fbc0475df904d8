import { decodeText, type DecodedText, type TextEncodingName } from './text-encoding'

/*
 * Writes a text in the encoding that its file has. The tables are made from what the browser decodes, which encodes UTF-8 alone.
 */

export interface EncodedText {
  readonly data: Uint8Array
  /** UTF-8 where the file's own encoding can't hold the text, or would be taken for another one when it is read. */
  readonly encoding: TextEncodingName
}

type FileEncoding = Pick<DecodedText, 'encoding' | 'markBytes'>

/** Never loses a letter: what is read from these bytes is the text. */
export function encodeText(text: string, { encoding, markBytes }: FileEncoding): EncodedText {
  const utf8 = (marked: string): EncodedText => ({ data: new TextEncoder().encode(marked), encoding: 'utf-8' })
  if (encoding === 'utf-8') return utf8(markBytes > 0 ? `\ufeff${text}` : text)
  const data =
    encoding === 'utf-16le' || encoding === 'utf-16be'
      ? encodeUtf16(`\ufeff${text}`, encoding === 'utf-16le')
      : encodeByTable(text, encoding)
  const read = data && decodeText(data)
  if (!read || read.text !== text) return utf8(text)
  // Of ASCII alone nobody can tell what it was.
  return { data, encoding: read.encoding }
}

function encodeUtf16(text: string, isLittle: boolean): Uint8Array {
  const data = new Uint8Array(text.length * 2)
  const view = new DataView(data.buffer)
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle)
  return data
}

/** Null for a text with a letter that the encoding lacks. */
function encodeByTable(text: string, encoding: TextEncodingName): Uint8Array | null {
  const table = tableOf(encoding)
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    if (code < 0x80) {
      bytes.push(code)
      continue
    }
    const found = table.get(letter)
    if (found === undefined) return null
    if (found > 0xff) bytes.push(found >> 8)
    bytes.push(found & 0xff)
  }
  return Uint8Array.from(bytes)
}

const tables = new Map<TextEncodingName, ReadonlyMap<string, number>>()

/** Letters beyond ASCII by their one or two bytes. */
function tableOf(encoding: TextEncodingName): ReadonlyMap<string, number> {
  const known = tables.get(encoding)
  if (known) return known
  const decoder = new TextDecoder(encoding, { fatal: true })
  const table = new Map<string, number>()
  const learn = (...bytes: readonly number[]) => {
    try {
      const letter = decoder.decode(Uint8Array.from(bytes))
      const isOne = Array.from(letter).length === 1
      if (isOne && !table.has(letter))
        table.set(
          letter,
          bytes.reduce((sum, byte) => sum * 256 + byte, 0),
        )
    } catch {
      // No letter has these bytes.
    }
  }
  for (let lead = 0x80; lead <= 0xff; lead += 1) {
    learn(lead)
    if (encoding === 'windows-1252') continue
    for (let trail = 0x40; trail <= 0xfe; trail += 1) learn(lead, trail)
  }
  tables.set(encoding, table)
  return table
}
