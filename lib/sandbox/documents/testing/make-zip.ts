import { crc32, deflateRawSync } from 'node:zlib'

export type ZipMembers = Readonly<Record<string, string | Uint8Array>>

const number = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  if (bytes === 2) buffer.writeUInt16LE(value)
  else buffer.writeUInt32LE(value)
  return buffer
}

/** A zip. `claim`: the size that it states for each member. */
export function makeZip(members: ZipMembers, claim?: number): Uint8Array {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(members)) {
    const data = Buffer.from(content)
    const packed = deflateRawSync(data)
    const [fileName, size] = [Buffer.from(name), claim ?? data.length]
    const about = [
      number(0, 2),
      number(8, 2),
      number(0, 4),
      number(crc32(data), 4),
      number(packed.length, 4),
      number(size, 4),
      number(fileName.length, 2),
    ]
    const file = Buffer.concat([number(0x04034b50, 4), number(20, 2), ...about, number(0, 2), fileName, packed])
    directory.push(
      Buffer.concat([
        number(0x02014b50, 4),
        number(20, 2),
        number(20, 2),
        ...about,
        number(0, 2),
        number(0, 2),
        number(0, 2),
        number(0, 2),
        number(0, 4),
        number(at, 4),
        fileName,
      ]),
    )
    files.push(file)
    at += file.length
  }
  const list = Buffer.concat(directory)
  const count = directory.length
  const end = [number(0x06054b50, 4), number(0, 4), number(count, 2), number(count, 2), number(list.length, 4)]
  return new Uint8Array(Buffer.concat([...files, list, ...end, number(at, 4), number(0, 2)]))
}
