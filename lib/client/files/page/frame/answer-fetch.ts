import { typeOfFile } from '../page-files'
import { patchMethod } from './patch-method'
import type { SiblingFiles } from './sibling-files'

/** What an address gives to a script that asks for it. */
export interface FileAnswer {
  readonly status: 200 | 404
  readonly type: string
  readonly data: Uint8Array<ArrayBuffer>
}

/**
 * Answers what scripts ask for, as a server of files would: a file of the workspace, or 404. What is outside, and what would write,
 * is refused.
 */
export function answerTo(beside: SiblingFiles, address: string, method: string): FileAnswer | null {
  if (/^data:/i.test(address)) return dataAnswer(address)
  const found = beside.find(address)
  if (found.kind === 'outside') return null
  if (!/^(?:get|head)$/i.test(method)) {
    beside.tell('written', `${method.toUpperCase()} ${address}`)
    return null
  }
  if (found.kind !== 'file') return { status: 404, type: 'text/plain', data: new Uint8Array() }
  return { status: 200, type: typeOfFile(found.file), data: new Uint8Array(found.file.data) }
}

function dataAnswer(address: string): FileAnswer | null {
  const [, type = '', base64, text = ''] = /^data:([^,;]*(?:;[^,;]+=[^,;]+)*)(;base64)?,([\s\S]*)$/i.exec(address) ?? []
  try {
    const plain = decodeURIComponent(text)
    const data =
      base64 === undefined
        ? new TextEncoder().encode(plain)
        : Uint8Array.from(atob(plain), (sign) => sign.charCodeAt(0))
    return { status: 200, type: type === '' ? 'text/plain' : type, data }
  } catch {
    return null
  }
}

/** `fetch` of a page. */
export function fetchSibling(beside: SiblingFiles, say: (message: object) => void): typeof fetch {
  const blobs = rememberBlobs()
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    init?.signal?.throwIfAborted()
    const blob = blobs.get(address)
    if (blob !== undefined) return new Response(blob)
    const answer = answerTo(beside, address, method)
    if (answer === null) {
      if (beside.find(address).kind === 'outside') say({ type: 'refused', address })
      throw new TypeError(`Failed to fetch: ${address} (a page here has no network and no server)`)
    }
    const { status, type, data } = answer
    const response = new Response(/^head$/i.test(method) ? null : data, {
      status,
      statusText: status === 200 ? 'OK' : 'Not Found',
      headers: { 'content-type': type, 'content-length': String(data.byteLength) },
    })
    Object.defineProperty(response, 'url', { value: address })
    return response
  }
}

/** Blobs that the page made addresses of: to load those is what its policy refuses to `fetch` alone. */
function rememberBlobs(): ReadonlyMap<string, Blob> {
  const blobs = new Map<string, Blob>()
  patchMethod(URL, 'createObjectURL', (call, _self, [made]) => {
    const address = call([made])
    if (made instanceof Blob) blobs.set(String(address), made)
    return address
  })
  patchMethod(URL, 'revokeObjectURL', (call, _self, [address]) => {
    blobs.delete(String(address))
    call([address])
  })
  return blobs
}
