import type { Vfs } from '../vfs'
import { createZenVfs } from './zen-vfs'
import { insecureContext } from './storage-failure'
import { changesChannel, type VfsReply, type VfsRequest } from './protocol'

// The worker of one conversation's files. Bundled into /workers/vfs.js by scripts/build-sandbox.mjs.

let vfs: Vfs | null = null

const insecureLocks: Pick<LockManager, 'request'> = {
  request: () => Promise.reject(new DOMException('Web Locks are missing', insecureContext)),
}

function open({ conversationId, limits }: VfsRequest & { type: 'open' }): Vfs {
  // Missing in insecure contexts: a page over plain HTTP from another machine.
  const locks = (navigator as { readonly locks?: LockManager }).locks ?? insecureLocks
  const channel = new BroadcastChannel(changesChannel(conversationId))
  return createZenVfs({
    conversationId,
    limits,
    indexedDB,
    locks,
    newId: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
    announce: () => channel.postMessage('changed'),
    // The page listens to the channel itself.
    watch: () => () => {},
  })
}

async function answer(files: Vfs, { op, args }: VfsRequest & { type: 'call' }): Promise<VfsReply['value']> {
  const path = args[0] as string
  switch (op) {
    case 'write':
      return files.write(path, args[1] as Uint8Array)
    case 'move':
      return files.move(path, args[1] as string)
    case 'usage':
      return files.usage()
    default:
      return files[op](path)
  }
}

self.onmessage = async ({ data: request }: MessageEvent<VfsRequest>) => {
  if (request.type === 'open') {
    vfs ??= open(request)
    return
  }
  if (vfs === null) return
  const reply: VfsReply = { id: request.id, value: await answer(vfs, request) }
  self.postMessage(reply)
}
