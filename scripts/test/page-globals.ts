import { webcrypto } from 'node:crypto'
import { clearImmediate, setImmediate } from 'node:timers'
import * as streams from 'node:stream/web'

// What browsers have and jsdom lacks. A test file with a page runs in a context of its own, where nothing else of Node
// is global.
Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true, writable: true })
for (const [name, value] of Object.entries({ ...streams, setImmediate, clearImmediate })) {
  if (Reflect.get(globalThis, name) === undefined) Reflect.set(globalThis, name, value)
}

/** jsdom's `Blob` does not know Node's, which Node's `Response` makes. */
globalThis.Response = class extends Response {
  override async blob(): Promise<Blob> {
    return new Blob([await this.arrayBuffer()], { type: this.headers.get('content-type') ?? '' })
  }
}
