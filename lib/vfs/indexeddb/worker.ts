import { wallClock } from '@/lib/base/clocks'
import type { Vfs } from '../vfs'
import { changesChannel, filesKey, type VfsCall, type VfsReply, type VfsRequest } from './protocol'
import { createIndexedDbVfs } from './indexeddb-vfs'

// The worker for one conversation's files. Bundled into /workers/vfs.js by scripts/build-sandbox.mjs.

let vfs: Vfs | null = null

/** The minimum time between two announcements: a burst of changes is announced at once, and again at its end. */
const announceMs = 25

function createAnnouncer(tell: () => void): () => void {
  let waiting: ReturnType<typeof setTimeout> | null = null
  let again = false
  const rest = () => {
    waiting = again ? setTimeout(rest, announceMs) : null
    if (again) tell()
    again = false
  }
  return () => {
    if (waiting !== null) {
      again = true
      return
    }
    tell()
    waiting = setTimeout(rest, announceMs)
  }
}

/** How long the Blobs of the last snapshot are kept for the next. */
const keepSnapshotMs = 120_000

/** Runs the latest work that it was given, once nothing new came for `ms`. */
function createRest(ms: number): (work: () => void) => void {
  let waiting: ReturnType<typeof setTimeout> | undefined
  return (work) => {
    clearTimeout(waiting)
    waiting = setTimeout(work, ms)
  }
}

function open({ conversationId, copyId, limits }: VfsRequest & { type: 'open' }): Vfs {
  const channel = new BroadcastChannel(changesChannel(filesKey(conversationId, copyId)))
  return createIndexedDbVfs({
    conversationId,
    ...(copyId !== undefined && { copyId }),
    limits,
    indexedDB,
    now: wallClock,
    announce: createAnnouncer(() => channel.postMessage('changed')),
    // The page listens to the channel itself.
    watch: () => () => {},
    whenUnused: createRest(keepSnapshotMs),
    // They arrived by message, so nothing else refers to them.
    ownsBytes: true,
  })
}

function answer(files: Vfs, call: VfsCall): Promise<VfsReply['value']> {
  const { history } = files
  switch (call.op) {
    case 'stat':
    case 'list':
    case 'tree':
    case 'read':
      return files[call.op](call.path)
    case 'write':
      return files.recording(call.origin).write(call.path, call.data)
    case 'makeDirectory':
    case 'remove':
      return files.recording(call.origin)[call.op](call.path)
    case 'move':
      return files.recording(call.origin).move(call.path, call.to)
    case 'apply':
      return files.recording(call.origin).apply(call.changes)
    case 'snapshot':
      return files.snapshot()
    case 'usage':
      return files.usage()
    case 'history.list':
      return history.list()
    case 'history.read':
      return history.read(call.id, call.path, call.side)
    case 'history.setUndone':
      return history.setUndone(call.ids, call.undone)
    case 'history.follow':
      return history.follow(call.messageIds)
    case 'history.adopt':
      return history.adopt(call.adoption)
    case 'history.forget':
      return history.forget()
    case 'history.usage':
      return history.usage()
  }
}

/** The buffers of read bytes, to be transferred to the page without a copy. */
const bytesIn = (value: VfsReply['value']): readonly Transferable[] =>
  'ok' in value && value.ok && value.value instanceof Uint8Array ? [value.value.buffer] : []

self.onmessage = async ({ data: request }: MessageEvent<VfsRequest>) => {
  if (request.type === 'open') {
    vfs ??= open(request)
    return
  }
  if (vfs === null) return
  const value = await answer(vfs, request.call)
  const reply: VfsReply = { id: request.id, value }
  self.postMessage(reply, { transfer: [...bytesIn(value)] })
}
