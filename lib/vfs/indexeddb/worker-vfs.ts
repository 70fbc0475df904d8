import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import type { Refusal } from '@/lib/base/app-error'
import { makeRefusal } from '@/lib/i18n/t'
import { copyLimits, type Vfs, type VfsUsage, vfsLimits, type VfsLimits } from '../vfs'
import { type VfsResult, vfsFailure } from '@/lib/vfs/vfs-result'
import type { ChangeOrigin, HistoryUsage, VfsHistory } from '../vfs-history'
import { changesChannel, filesKey, type VfsCall, type VfsReply, type VfsRequest } from './protocol'

/** The part of a Worker that is used here, so that tests can replace it. */
export interface VfsWorkerPort {
  postMessage(message: VfsRequest): void
  terminate(): void
  onmessage: ((event: { readonly data: VfsReply }) => void) | null
  onerror: ((event: { readonly message?: string; preventDefault?: () => void }) => void) | null
}

export interface ChannelPort {
  onmessage: ((event: MessageEvent) => void) | null
  close(): void
}

export interface WorkerVfsPorts {
  readonly conversationId: string
  /** Set for a copy of the conversation's files. */
  readonly copyId?: string
  readonly startWorker: () => VfsWorkerPort
  readonly openChannel: (name: string) => ChannelPort
  readonly limits?: VfsLimits
}

/** Translates failures: the worker has no messages, the page has those in the user's language. */
const localizeReply = (value: VfsReply['value']): VfsReply['value'] =>
  'ok' in value && !value.ok ? { ok: false, error: { ...value.error, message: quotedRefusal(value.error) } } : value

/**
 * The page's side of a conversation's files: sends calls to the worker, and starts a new worker after a crash. A call
 * whose worker crashed is answered with EIO: it may or may not have run, but files are never torn.
 */
export function createWorkerVfs(ports: WorkerVfsPorts): Vfs {
  const {
    conversationId,
    copyId,
    startWorker,
    openChannel,
    limits = copyId === undefined ? vfsLimits : copyLimits,
  } = ports
  const waiting = new Map<number, { call: VfsCall; answer: (value: VfsReply['value']) => void }>()
  const listeners = new Set<() => void>()
  let worker: VfsWorkerPort | null = null
  let channel: ChannelPort | null = null
  let calls = 0
  let closed = false

  const emptyUsage: VfsUsage = { usedBytes: 0, limitBytes: limits.maxTotalBytes, files: 0 }
  const emptyHistory: HistoryUsage = { sets: 0, usedBytes: 0, limitBytes: limits.maxHistoryBytes }

  /** The answer to a call whose worker is gone. */
  function unanswered(call: VfsCall, refusal: Refusal): VfsReply['value'] {
    if (call.op === 'usage') return emptyUsage
    if (call.op === 'history.usage') return emptyHistory
    return vfsFailure('EIO', 'path' in call ? call.path : '/', refusal)
  }

  function abandon(refusal: Refusal): void {
    worker?.terminate()
    worker = null
    for (const { call, answer } of waiting.values()) answer(unanswered(call, refusal))
    waiting.clear()
  }

  function start(): VfsWorkerPort {
    const started = startWorker()
    started.onmessage = ({ data }) => {
      const waited = waiting.get(data.id)
      waiting.delete(data.id)
      waited?.answer(localizeReply(data.value))
    }
    started.onerror = (event) => {
      event.preventDefault?.()
      abandon(makeRefusal('vfs.stopped', { details: event.message ?? '' }))
    }
    started.postMessage({ type: 'open', conversationId, ...(copyId !== undefined && { copyId }), limits })
    return started
  }

  function send(call: VfsCall): Promise<VfsReply['value']> {
    return new Promise((answer) => {
      if (closed) return answer(unanswered(call, makeRefusal('vfs.closed')))
      const id = ++calls
      waiting.set(id, { call, answer })
      try {
        worker ??= start()
        worker.postMessage({ type: 'call', id, call })
      } catch (thrown) {
        abandon(makeRefusal('vfs.unreachable', { details: String(thrown) }))
      }
    })
  }

  const ask = <T>(call: VfsCall) => send(call) as Promise<VfsResult<T>>

  const history: VfsHistory = {
    list: () => ask({ op: 'history.list' }),
    read: (id, path, side) => ask({ op: 'history.read', id, path, side }),
    setUndone: (ids, undone) => ask({ op: 'history.setUndone', ids, undone }),
    follow: (messageIds) => ask({ op: 'history.follow', messageIds }),
    adopt: (adoption) => ask({ op: 'history.adopt', adoption }),
    forget: () => ask({ op: 'history.forget' }),
    usage: () => send({ op: 'history.usage' }) as Promise<HistoryUsage>,
  }

  const view = (origin: ChangeOrigin | null): Vfs => ({
    stat: (path) => ask({ op: 'stat', path }),
    list: (path) => ask({ op: 'list', path }),
    tree: (path) => ask({ op: 'tree', path }),
    read: (path) => ask({ op: 'read', path }),
    snapshot: () => ask({ op: 'snapshot' }),
    write: (path, data) => ask({ op: 'write', path, data, origin }),
    makeDirectory: (path) => ask({ op: 'makeDirectory', path, origin }),
    remove: (path) => ask({ op: 'remove', path, origin }),
    move: (from, to) => ask({ op: 'move', path: from, to, origin }),
    apply: (changes) => ask({ op: 'apply', changes, origin }),
    usage: () => send({ op: 'usage' }) as Promise<VfsUsage>,
    watch(listener) {
      listeners.add(listener)
      if (channel === null) {
        channel = openChannel(changesChannel(filesKey(conversationId, copyId)))
        channel.onmessage = () => {
          for (const each of listeners) each()
        }
      }
      return () => {
        listeners.delete(listener)
      }
    },
    recording: view,
    history,
    async close() {
      closed = true
      abandon(makeRefusal('vfs.closed'))
      channel?.close()
      listeners.clear()
    },
  })
  return view(null)
}
