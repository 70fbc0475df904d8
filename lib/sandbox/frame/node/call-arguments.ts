import { Buffer } from './zenfs'
import { fsError, nodeError, wrongType, wrongValue } from './node-error'

/* What code hands to the functions of `fs`: paths, options, data. */

export type Callable = (...values: unknown[]) => unknown
export type Functions = Record<string, Callable>

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
export const optionOf = (given: unknown, name: string): unknown => (isObject(given) ? given[name] : undefined)
export const encodingOf = (given: unknown): unknown => (typeof given === 'string' ? given : optionOf(given, 'encoding'))
export const isBytes = (value: unknown): value is ArrayBufferView => ArrayBuffer.isView(value)

function textOf(path: URL): string {
  if (path.protocol !== 'file:') throw nodeError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError)
  return decodeURIComponent(path.pathname)
}

/** A path as text, as it was given. */
export function pathOf(path: unknown, name = 'path'): string {
  const text =
    path instanceof URL
      ? textOf(path)
      : isBytes(path)
        ? Buffer.from(path.buffer, path.byteOffset, path.byteLength).toString()
        : path
  if (typeof text !== 'string') throw wrongType(name, 'of type string or an instance of Buffer or URL', path)
  // ZenFS would take it for a slash, and the chat's files have no such names.
  if (text.includes('\\'))
    throw fsError({ code: 'EINVAL', syscall: 'open', path: text, sentence: 'Folders are separated by /.' })
  if (text.includes('\0')) throw wrongValue(name, 'must be a string, Uint8Array, or URL without null bytes', text)
  return text
}

/** Text goes into a file as the encoding says; ZenFS takes bytes of one kind only. */
export function bytesOf(data: unknown, given: unknown): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, (encodingOf(given) ?? 'utf8') as 'utf8')
  if (isBytes(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  throw wrongType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
}

export function checkEncoding(given: unknown): void {
  const encoding = encodingOf(given)
  if (encoding == null || encoding === 'buffer' || (typeof encoding === 'string' && Buffer.isEncoding(encoding))) return
  throw wrongValue('encoding', 'is invalid encoding', encoding)
}

/** Data that comes in parts, as one. */
export async function gathered(data: unknown): Promise<unknown> {
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer())
  const isParts = isObject(data) && !isBytes(data) && (Symbol.asyncIterator in data || Symbol.iterator in data)
  if (!isParts) return data
  const parts: Uint8Array[] = []
  for await (const part of data as unknown as AsyncIterable<unknown>) parts.push(bytesOf(part, null))
  return Buffer.concat(parts)
}
