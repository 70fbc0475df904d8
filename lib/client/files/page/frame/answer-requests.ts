import type { SiblingFiles } from './frame-modules'
import { typeOfFile } from '../page-files'

/* Replaces methods and properties on the browser's prototypes with ours. The page's scripts use ours. */

type Call = (self: unknown, args: readonly unknown[]) => unknown

/** `change` is called instead of the method, and may call it. */
export function patchMethod(
  owner: object,
  name: string,
  change: (call: (args: readonly unknown[]) => unknown, self: unknown, args: readonly unknown[]) => unknown,
): void {
  const own: unknown = Reflect.get(owner, name)
  if (typeof own !== 'function') return
  const replaced = function (this: unknown, ...args: unknown[]): unknown {
    return change((given) => Reflect.apply(own, this, given), this, args)
  }
  Object.defineProperty(owner, name, { value: replaced, configurable: true, writable: true })
}

/** A property's own getter and setter; null: it has none. */
export function accessOf(owner: object | undefined, name: string): { readonly get: Call; readonly set: Call } | null {
  const before = owner === undefined ? undefined : Object.getOwnPropertyDescriptor(owner, name)
  if (before?.get === undefined || before.set === undefined) return null
  return {
    get: (self) => before.get?.call(self) as unknown,
    set: (self, [value]) => before.set?.call(self, value),
  }
}

/** Values written to a property go through `write`, values read from it through `read`. */
export function patchProperty(
  owner: object | undefined,
  name: string,
  change: {
    readonly write: (self: Element, value: unknown) => unknown
    readonly read?: (self: Element, value: unknown) => unknown
  },
): void {
  const own = accessOf(owner, name)
  if (own === null || owner === undefined) return
  const { write, read = (_self, value) => value } = change
  Object.defineProperty(owner, name, {
    configurable: true,
    enumerable: true,
    get(this: Element) {
      return read(this, own.get(this, []))
    },
    set(this: Element, value: unknown) {
      own.set(this, [write(this, value)])
    },
  })
}

/** The page's `XMLHttpRequest`, for reading files: by events, or synchronously if a script asks for that. */
export function requestSibling(beside: SiblingFiles): typeof XMLHttpRequest {
  class FileRequest extends EventTarget {
    static readonly UNSENT = 0
    static readonly OPENED = 1
    static readonly HEADERS_RECEIVED = 2
    static readonly LOADING = 3
    static readonly DONE = 4
    readonly UNSENT = 0
    readonly OPENED = 1
    readonly HEADERS_RECEIVED = 2
    readonly LOADING = 3
    readonly DONE = 4
    readonly upload = new EventTarget()
    readyState = 0
    responseType: XMLHttpRequestResponseType = ''
    timeout = 0
    withCredentials = false
    #method = 'GET'
    #address = ''
    #isLater = true
    #turn = 0
    #answer: FileAnswer | null = null

    open(method: string, address: string | URL, isLater = true): void {
      this.#method = method
      this.#address = String(address)
      this.#isLater = isLater
      this.#answer = null
      this.#go(1)
    }
    send(): void {
      const turn = ++this.#turn
      const settle = () => {
        if (turn !== this.#turn) return
        this.#answer = answerTo(beside, this.#address, this.#method)
        for (const state of [2, 3, 4]) this.#go(state)
        this.#tell(this.#answer === null ? 'error' : 'load')
        this.#tell('loadend')
        if (!this.#isLater && this.#answer === null) throw new DOMException('No network here', 'NetworkError')
      }
      if (this.#isLater) setTimeout(settle)
      else settle()
    }
    abort(): void {
      this.#turn += 1
      if (this.readyState > 0 && this.readyState < 4) this.#tell('abort')
      this.readyState = 0
    }
    setRequestHeader(): void {}
    overrideMimeType(): void {}
    getResponseHeader(name: string): string | null {
      const answer = this.#answer
      if (answer === null) return null
      if (/^content-type$/i.test(name)) return answer.type
      return /^content-length$/i.test(name) ? String(answer.data.byteLength) : null
    }
    getAllResponseHeaders(): string {
      const answer = this.#answer
      return answer === null ? '' : `content-type: ${answer.type}\r\ncontent-length: ${answer.data.byteLength}\r\n`
    }
    get status(): number {
      return this.#answer?.status ?? 0
    }
    get statusText(): string {
      return this.#answer === null ? '' : this.#answer.status === 200 ? 'OK' : 'Not Found'
    }
    get responseURL(): string {
      return this.#answer === null ? '' : this.#address
    }
    get responseText(): string {
      return this.#answer === null ? '' : new TextDecoder().decode(this.#answer.data)
    }
    get responseXML(): Document | null {
      return this.#answer === null ? null : new DOMParser().parseFromString(this.responseText, 'application/xml')
    }
    get response(): unknown {
      const answer = this.#answer
      if (answer === null) return this.responseType === '' || this.responseType === 'text' ? '' : null
      if (this.responseType === 'arraybuffer') return answer.data.buffer
      if (this.responseType === 'blob') return new Blob([answer.data], { type: answer.type })
      if (this.responseType === 'document') return this.responseXML
      if (this.responseType !== 'json') return this.responseText
      try {
        return JSON.parse(this.responseText) as unknown
      } catch {
        return null
      }
    }
    #go(state: number): void {
      this.readyState = state
      this.#tell('readystatechange')
    }
    #tell(name: string): void {
      const length = this.#answer?.data.byteLength ?? 0
      const event = new ProgressEvent(name, { lengthComputable: length > 0, loaded: length, total: length })
      const handler = (this as unknown as Record<string, unknown>)[`on${name}`]
      if (typeof handler === 'function') handler.call(this, event)
      this.dispatchEvent(event)
    }
  }
  return FileRequest as unknown as typeof XMLHttpRequest
}

/** The response to a script's request for an address. */
interface FileAnswer {
  readonly status: 200 | 404
  readonly type: string
  readonly data: Uint8Array<ArrayBuffer>
}

/**
 * Answers scripts' requests as a file server would: with a file of the workspace, or 404. Addresses outside, and
 * writes, are refused.
 */
function answerTo(beside: SiblingFiles, address: string, method: string): FileAnswer | null {
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

/** The page's `fetch`. */
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

/** Blobs for which the page created URLs: its policy refuses only loading them with `fetch`. */
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
