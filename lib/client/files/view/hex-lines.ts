export interface HexLine {
  /** The offset of its first byte, as eight hexadecimal digits. */
  readonly offset: string
  /** Up to 16 bytes as `48 65 6c …`. */
  readonly hex: string
  /** The same as ASCII; a dot for unprintable bytes. */
  readonly text: string
}

const bytesPerLine = 16

/** Bytes `from` to `to` as lines of a hex view. */
export function hexLines(data: Uint8Array, from: number, to: number): readonly HexLine[] {
  const lines: HexLine[] = []
  for (let at = from; at < Math.min(to, data.byteLength); at += bytesPerLine) {
    const bytes = [...data.subarray(at, Math.min(at + bytesPerLine, to))]
    lines.push({
      offset: at.toString(16).padStart(8, '0'),
      hex: bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' '),
      text: bytes.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(''),
    })
  }
  return lines
}
