import type { GuestAssets } from './guest-assets'
import type { CallHost } from './host-calls'
import type { createGuestNode, GuestNode, GuestNodePorts } from './node/guest-node'
import type { LayerChange } from './node/layer'
import type { Answer, RunSnapshot } from './protocol'

// The library of types for pages does not know it.
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer }

interface NodeAsset {
  readonly createGuestNode: typeof createGuestNode
}

/** Opened Blobs that are kept, in bytes: code that reads all files of a large chat is not to hold them all. */
const openedBytes = 64_000_000

/** Contents out of the snapshot's Blobs, at once: `FileReaderSync` is there in workers alone. */
export function createBlobReader({ entries, places, blobs }: Pick<RunSnapshot, 'entries' | 'places' | 'blobs'>) {
  const reader = new FileReaderSync()
  const opened = new Map<number, Uint8Array>()
  let bytes = 0

  function open(bundle: number): Uint8Array {
    const blob = blobs[bundle]
    if (blob === undefined) throw new Error('The files did not come whole.')
    const whole = opened.get(bundle) ?? new Uint8Array(reader.readAsArrayBuffer(blob))
    if (!opened.delete(bundle)) bytes += whole.byteLength
    opened.set(bundle, whole)
    // The one that was used longest ago goes first.
    for (const [oldest, { byteLength }] of opened) {
      if (bytes <= openedBytes || oldest === bundle) break
      opened.delete(oldest)
      bytes -= byteLength
    }
    return whole
  }

  return (index: number): Uint8Array => {
    const [bundle, from] = places[index] ?? [-1, 0]
    const size = entries[index]?.size ?? 0
    return size === 0 ? new Uint8Array() : open(bundle).subarray(from, from + size)
  }
}

export type StartNodePorts = Omit<GuestNodePorts, 'entries' | 'read' | 'limits' | 'access' | 'now'>

/** Hands over the files and starts Node's ways. Rejects with a sentence. */
export async function startNode(assets: GuestAssets, callHost: CallHost, ports: StartNodePorts): Promise<GuestNode> {
  const [asset, answer] = await Promise.all([assets.load<NodeAsset>('node.js', ['zenfs.js']), callHost('snapshot', [])])
  if (!answer.ok) throw new Error(`The files of this chat could not be read: ${answer.message}`)
  const snapshot = answer.value as RunSnapshot
  const { entries, limits, access } = snapshot
  const read = createBlobReader(snapshot)
  return asset.createGuestNode({ ...ports, entries, limits, access, read, now: Date.now })
}

/** Hands in what was done to the files: the steps as text, all bytes as one Blob. Null: there is nothing to hand in. */
export async function handIn(changes: readonly LayerChange[], callHost: CallHost): Promise<Answer | null> {
  if (changes.length === 0) return null
  const parts: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  const steps = changes.map((change) => {
    if (change.kind !== 'write') return change
    const { kind, path, data } = change
    const step = { kind, path, at, size: data.byteLength }
    parts.push(data as Uint8Array<ArrayBuffer>)
    at += data.byteLength
    return step
  })
  return callHost('commit', [JSON.stringify(steps), new Blob(parts)])
}
