import { formatBytes } from '@/lib/base/format-bytes'

const signatures: readonly { readonly bytes: readonly number[]; readonly name: string }[] = [
  { bytes: [0x89, 0x50, 0x4e, 0x47], name: 'a PNG image' },
  { bytes: [0xff, 0xd8, 0xff], name: 'a JPEG image' },
  { bytes: [0x47, 0x49, 0x46, 0x38], name: 'a GIF image' },
  { bytes: [0x25, 0x50, 0x44, 0x46], name: 'a PDF document' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], name: 'a zip archive or office document' },
  { bytes: [0x1f, 0x8b], name: 'gzip data' },
  { bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66], name: 'an SQLite database' },
]

/** Null for UTF-8 text, else what the bytes seem to be, as "a PNG image, 12.4 KB". */
export function describeBinary(data: Uint8Array): string | null {
  const known = signatures.find(({ bytes }) => bytes.every((byte, at) => data[at] === byte))
  if (known !== undefined) return `${known.name}, ${formatBytes(data.byteLength)}`
  if (!data.includes(0)) {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(data)
      return null
    } catch {
      // Not UTF-8: as unreadable as any other binary data.
    }
  }
  return `binary data, ${formatBytes(data.byteLength)}`
}
