import { vfsFailure } from '../failures'
import { vfsLimits, type VfsLimits } from '../limits'
import type { Vfs, VfsResult, VfsUsage } from '../vfs'
import { changesChannel, type VfsOp, type VfsReply, type VfsRequest } from './protocol'

/** The part of a Worker that is used here, so that tests can stand in for one. */
export interface WorkerPort {
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
  readonly startWorker: () => WorkerPort
  readonly openChannel: (name: string) => ChannelPort
  readonly limits?: VfsLimits
}

/**
 * The page's side of a conversation's files: asks the worker, and starts a new one when it broke. A call whose worker
 * broke is answered with EIO; whether it was done is not known, but files are never torn.
 */
export function createWorkerVfs(ports: WorkerVfsPorts): Vfs {
  const { conversationId, startWorker, openChannel, limits = vfsLimits } = ports
  const waiting = new Map<number, { op: VfsOp; path: string; answer: (value: VfsReply['value']) => void }>()
  const listeners = new Set<() => void>()
  let worker: WorkerPort | null = null
  let channel: ChannelPort | null = null
  let calls = 0
  let closed = false

  const failure = (path: string, message: string) => vfsFailure('EIO', path, message)

  const emptyUsage: VfsUsage = { usedBytes: 0, limitBytes: limits.maxTotalBytes, files: 0 }

  function giveUp(message: string): void {
    worker?.terminate()
    worker = null
    for (const { op, path, answer } of waiting.values()) answer(op === 'usage' ? emptyUsage : failure(path, message))
    waiting.clear()
  }

  function start(): WorkerPort {
    const started = startWorker()
    started.onmessage = ({ data }) => {
      const waited = waiting.get(data.id)
      waiting.delete(data.id)
      waited?.answer(data.value)
    }
    started.onerror = (event) => {
      event.preventDefault?.()
      const details = event.message === undefined || event.message === '' ? '' : ` (${event.message})`
      giveUp(
        `The part of Nod that keeps this chat’s files stopped${details}. Try again; if that fails, reload the page.`,
      )
    }
    started.postMessage({ type: 'open', conversationId, limits })
    return started
  }

  function call(op: VfsOp, path: string, ...rest: readonly (string | Uint8Array)[]): Promise<VfsReply['value']> {
    return new Promise((answer) => {
      if (closed) return answer(op === 'usage' ? emptyUsage : failure(path, 'This chat’s files were closed.'))
      const id = ++calls
      waiting.set(id, { op, path, answer })
      try {
        worker ??= start()
        worker.postMessage({ type: 'call', id, op, args: [path, ...rest] })
      } catch (thrown) {
        giveUp(`This chat’s files could not be reached (${String(thrown)}). Reload the page and try again.`)
      }
    })
  }

  const ask = <T>(op: VfsOp, path: string, ...rest: readonly (string | Uint8Array)[]) =>
    call(op, path, ...rest) as Promise<VfsResult<T>>

  return {
    stat: (path) => ask('stat', path),
    list: (path) => ask('list', path),
    read: (path) => ask('read', path),
    write: (path, data) => ask('write', path, data),
    makeDirectory: (path) => ask('makeDirectory', path),
    remove: (path) => ask('remove', path),
    move: (from, to) => ask('move', from, to),
    usage: () => call('usage', '/') as Promise<VfsUsage>,
    watch(listener) {
      listeners.add(listener)
      if (channel === null) {
        channel = openChannel(changesChannel(conversationId))
        channel.onmessage = () => {
          for (const each of listeners) each()
        }
      }
      return () => {
        listeners.delete(listener)
      }
    },
    async close() {
      closed = true
      giveUp('This chat’s files were closed.')
      channel?.close()
      listeners.clear()
    },
  }
}
