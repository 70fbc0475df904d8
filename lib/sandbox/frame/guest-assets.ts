import type { AssetBytes } from './protocol'

export interface GuestAssets {
  /** The exports of an asset's script, run once. Rejects with a sentence when the page does not hand it over. */
  load<Exports>(name: string): Promise<Exports>
  /** The page's answer. */
  arrived(id: number, bytes: AssetBytes): void
}

const SyncFunction = (() => {}).constructor as new (...parts: readonly string[]) => (...values: unknown[]) => void

/** The worker's side of the asset channel: a script is asked for when it is first needed. */
export function createGuestAssets(ask: (id: number, name: string) => void): GuestAssets {
  const waiting = new Map<number, (bytes: AssetBytes) => void>()
  const loaded = new Map<string, Promise<unknown>>()
  let asked = 0

  async function fetchAndRun(name: string): Promise<unknown> {
    const bytes = await new Promise<AssetBytes>((resolve) => {
      const id = ++asked
      waiting.set(id, resolve)
      ask(id, name)
    })
    if (bytes === null) throw new Error(`${name} could not be loaded. Check the network, then run the code again.`)
    const script = { exports: {} }
    const body = `${new TextDecoder().decode(bytes)}\n//# sourceURL=nod-asset/${name}`
    // The bytes are the app's own, and the realm is the code's anyway.
    new SyncFunction('module', 'exports', body)(script, script.exports)
    return script.exports
  }

  return {
    load<Exports>(name: string) {
      const loading = loaded.get(name) ?? fetchAndRun(name)
      loaded.set(name, loading)
      return loading as Promise<Exports>
    },
    arrived(id, bytes) {
      waiting.get(id)?.(bytes)
      waiting.delete(id)
    },
  }
}
