import { decodeBytes, isEncoding, toReadable } from './guest-bytes'

export interface FileHandlePorts<Stats> {
  readonly read: (path: string) => Promise<Uint8Array>
  readonly write: (
    path: string,
    content: Uint8Array<ArrayBuffer>,
    options: { flag: string },
    standard: 'w',
  ) => Promise<void>
  readonly stat: (path: string) => Promise<Stats>
}

const badHandle = () => Object.assign(new Error('The file was closed.'), { code: 'EBADF' })
const grown = (bytes: Uint8Array, size: number) => {
  const whole = new Uint8Array(Math.max(size, bytes.length))
  whole.set(bytes)
  return whole
}

/**
 * Node's FileHandle, as far as small programs use it. Each write replaces the whole file: what was written is in the file
 * when its promise resolves.
 */
export async function openGuestFile<Stats>(path: string, flag: string, ports: FileHandlePorts<Stats>) {
  const isNew = flag.startsWith('w')
  const appends = flag.startsWith('a')
  if (isNew) await ports.write(path, new Uint8Array(), { flag: flag.includes('x') ? 'wx' : 'w' }, 'w')
  let bytes: Uint8Array = isNew
    ? new Uint8Array()
    : await ports.read(path).catch((thrown: unknown) => {
        if (appends && (thrown as { code?: unknown }).code === 'ENOENT') return new Uint8Array()
        throw thrown
      })
  let position = 0
  let isOpen = true

  async function write(content: string | Uint8Array, offset?: number | null): Promise<{ bytesWritten: number }> {
    if (!isOpen) throw badHandle()
    if (flag === 'r') throw Object.assign(new Error(`${path} is open for reading only.`), { code: 'EBADF' })
    const data = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const at = appends ? bytes.length : (offset ?? position)
    const whole = grown(bytes, at + data.length)
    whole.set(data, at)
    await ports.write(path, whole, { flag: 'w' }, 'w')
    bytes = whole
    if (typeof offset !== 'number') position = at + data.length
    return { bytesWritten: data.length }
  }

  return {
    async read(buffer: Uint8Array, offset = 0, length = buffer.length - offset, at: number | null = null) {
      if (!isOpen) throw badHandle()
      const from = at ?? position
      const part = bytes.subarray(from, from + length)
      buffer.set(part, offset)
      if (at === null) position += part.length
      return { bytesRead: part.length, buffer }
    },
    async readFile(options?: string | { encoding?: string }) {
      if (!isOpen) throw badHandle()
      const encoding = typeof options === 'object' ? options.encoding : options
      const rest = bytes.slice(position)
      position = bytes.length
      return encoding !== undefined && isEncoding(encoding) ? decodeBytes(rest, encoding) : toReadable(rest)
    },
    write,
    async writeFile(content: string | Uint8Array) {
      await write(content)
    },
    async appendFile(content: string | Uint8Array) {
      await write(content)
    },
    async truncate(length = 0) {
      if (!isOpen) throw badHandle()
      const whole = grown(bytes.subarray(0, length), length)
      await ports.write(path, whole, { flag: 'w' }, 'w')
      bytes = whole
    },
    async stat() {
      if (!isOpen) throw badHandle()
      return ports.stat(path)
    },
    async sync() {},
    async close() {
      isOpen = false
    },
  }
}
