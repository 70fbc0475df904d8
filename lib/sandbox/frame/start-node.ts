import { wallClock } from '@/lib/base/clocks'
import type { GuestAssets } from './guest-assets'
import type { CallHost } from './host-calls'
import type { createGuestNode, GuestNode, GuestNodePorts } from './node/guest-node'
import { createBlobReader, takeSnapshot } from './run-files'

interface NodeAsset {
  readonly createGuestNode: typeof createGuestNode
}

export type StartNodePorts = Omit<GuestNodePorts, 'entries' | 'read' | 'limits' | 'access' | 'now'>

/** Hands over the files and starts Node's ways. Rejects with a sentence. */
export async function startNode(assets: GuestAssets, callHost: CallHost, ports: StartNodePorts): Promise<GuestNode> {
  const [asset, snapshot] = await Promise.all([assets.load<NodeAsset>('node.js', ['zenfs.js']), takeSnapshot(callHost)])
  const { entries, limits, access } = snapshot
  const read = createBlobReader(snapshot)
  return asset.createGuestNode({ ...ports, entries, limits, access, read, now: wallClock })
}
