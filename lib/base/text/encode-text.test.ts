import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeText, encodeText } from './text-encoding'

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? Array.from(new TextEncoder().encode(part)) : [...part])),
  )

const files = {
  // 姓名,城市 / 张伟,北京 / 李娜,上海
  gb18030: bytes(
    [0xd0, 0xd5, 0xc3, 0xfb],
    ',',
    [0xb3, 0xc7, 0xca, 0xd0],
    '\n',
    [0xd5, 0xc5, 0xce, 0xb0],
    ',',
    [0xb1, 0xb1, 0xbe, 0xa9],
    '\n',
    [0xc0, 0xee, 0xc4, 0xc8],
    ',',
    [0xc9, 0xcf, 0xba, 0xa3],
    '\n',
  ),
  'windows-1252': bytes('caf', [0xe9], ' cr', [0xe8], 'me \n M', [0xfc], 'nchen \n'),
  'utf-16le': bytes([0xff, 0xfe], ...Array.from('Größe,1\n', (sign) => [sign.charCodeAt(0), 0])),
  'utf-16be': bytes([0xfe, 0xff], ...Array.from('Größe,1\n', (sign) => [0, sign.charCodeAt(0)])),
  // 日本語のテキストです
  shift_jis: bytes([
    0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x83, 0x65, 0x83, 0x4c, 0x83, 0x58, 0x83, 0x67, 0x82, 0xc5, 0x82,
    0xb7,
  ]),
} as const

it.each(Object.entries(files))(
  'writes a file in %s back byte for byte, and an edited one in the same encoding',
  (name, data) => {
    const read = decodeText(data)
    expect(read?.encoding).toBe(name)
    if (!read) return
    expect(encodeText(read.text, read)).toEqual({ data, encoding: name })
    const edited = `${read.text}# ${read.text}`
    const written = encodeText(edited, read)
    expect(written.encoding).toBe(name)
    expect(decodeText(written.data)).toMatchObject({ text: edited, encoding: name, markBytes: read.markBytes })
  },
)

it('writes UTF-8 if the encoding lacks a character, and reports it', () => {
  for (const encoding of ['windows-1252', 'shift_jis', 'euc-kr'] as const) {
    const written = encodeText('caf\u00e9 \u{1f600}', { encoding, markBytes: 0 })
    expect(written).toEqual({ data: bytes('caf\u00e9 \u{1f600}'), encoding: 'utf-8' })
  }
})

it('never loses a character, whatever the text and the encoding', () => {
  const text = fc.array(fc.constantFrom('a', '\n', 'é', '€', '中', '文', 'テ', '한', '😀', ' ', '“'), { maxLength: 40 })
  const encoding = fc.constantFrom(
    'gb18030',
    'big5',
    'shift_jis',
    'euc-jp',
    'euc-kr',
    'windows-1252',
    'utf-16le',
    'utf-8',
  )
  fc.assert(
    fc.property(
      text.map((letters) => letters.join('')),
      encoding,
      (value, name) => {
        const written = encodeText(value, { encoding: name, markBytes: 0 })
        expect(decodeText(written.data)).toMatchObject({ text: value, encoding: written.encoding })
      },
    ),
  )
})
