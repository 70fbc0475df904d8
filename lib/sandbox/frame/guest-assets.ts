import type { AssetBytes } from './protocol'

export interface GuestAssets {
  /**
   * The exports of an asset's script, run once; those that it requires by name are loaded beside it and run before it. Rejects
   * with a sentence when the page does not hand one over.
   */
  load<Exports>(name: string, required?: readonly string[]): Promise<Exports>
  /** The page's answer. */
  arrived(id: number, bytes: AssetBytes): void
}

const SyncFunction = (() => {}).constructor as new (...parts: readonly string[]) => (...values: unknown[]) => void

/** The worker's side of the asset channel: a script is asked for when it is first needed. */
export function createGuestAssets(ask: (id: number, name: string) => void): GuestAssets {
  const waiting = new Map<number, (bytes: AssetBytes) => void>()
  const loaded = new Map<string, Promise<unknown>>()
  let asked = 0

  const fetchBytes = (name: string) =>
    new Promise<AssetBytes>((resolve) => {
      const id = ++asked
      waiting.set(id, resolve)
      ask(id, name)
    })

  async function fetchAndRun(name: string, required: readonly string[]): Promise<unknown> {
    const [bytes, ...exports] = await Promise.all([fetchBytes(name), ...required.map((each) => load(each, []))])
    const found = new Map(required.map((each, at) => [each, exports[at]]))
    if (bytes === null) throw new Error(`${name} could not be loaded. Check the network, then run the code again.`)
    const script = { exports: {} }
    const body = `${new TextDecoder().decode(bytes)}\n//# sourceURL=nod-asset/${name}`
    // The bytes are the app's own, and the realm is the code's anyway.
    const require = (each: unknown) => found.get(String(each))
    new SyncFunction('module', 'exports', 'require', body)(script, script.exports, require)
    return script.exports
  }

  function load(name: string, required: readonly string[]): Promise<unknown> {
    const loading = loaded.get(name) ?? fetchAndRun(name, required)
    loaded.set(name, loading)
    return loading
  }

  return {
    load: <Exports>(name: string, required: readonly string[] = []) => load(name, required) as Promise<Exports>,
    arrived(id, bytes) {
      waiting.get(id)?.(bytes)
      waiting.delete(id)
    },
  }
}
