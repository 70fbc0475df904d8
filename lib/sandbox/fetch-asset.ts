import { builtFile } from '@/lib/base/base-path'
import type { LoadAsset } from './assets'

/** Loads assets from public/sandbox-libs, and tells how far it is. */
export const fetchAsset =
  (fetch: (url: string) => Promise<Response>): LoadAsset =>
  async (name, onBytes) => {
    const response = await fetch(builtFile(`/sandbox-libs/${encodeURIComponent(name)}`))
    if (!response.ok) throw new Error(`${name} could not be loaded: ${response.status}`)
    if (onBytes === undefined || response.body === null) return new Uint8Array(await response.arrayBuffer())
    const parts: Uint8Array[] = []
    let loaded = 0
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value)
      loaded += part.value.byteLength
      onBytes(loaded)
    }
    const whole = new Uint8Array(loaded)
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.byteLength
    }
    return whole
  }
