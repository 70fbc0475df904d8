import type { JsonValue } from '@/lib/base/json'
import type { LiveCall } from '@/lib/shared/calls/call-state'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { CallKey } from '@/lib/client/state/state'
import type { DecidedBy } from '@/lib/shared/conversation/call-record'
import type { OpenReply } from './open-reply'
import { t } from '@/lib/i18n/t'
import type { MonotonicClock } from '@/lib/base/clocks'
import type { Vfs } from '@/lib/vfs/vfs'

/*
 * The file versions that a card showed for its call, so that a click never runs a change on files other than those the
 * user saw.
 */

/** Path as the call names it → the `fingerprint` of its content. */
export type FileBasis = ReadonlyMap<string, string>

type Files = Pick<Vfs, 'stat' | 'tree'>

/** Returns equal values for equal contents of a file, or of a folder with everything in it. */
export async function fingerprint(files: Files, path: string): Promise<string> {
  const stat = await files.stat(path)
  if (!stat.ok) return stat.error.code
  const { kind, size, version } = stat.value
  if (kind === 'file') return `file ${size} ${version}`
  const tree = await files.tree(path)
  if (!tree.ok) return tree.error.code
  let sum = 0x811c9dc5
  for (const entry of tree.value) {
    const line = `${entry.path}\n${entry.kind} ${entry.version}\n`
    for (let at = 0; at < line.length; at++) sum = Math.imul(sum ^ line.charCodeAt(at), 0x01000193) >>> 0
  }
  return `folder ${tree.value.length} ${sum.toString(36)}`
}

/** Returns the paths whose content has changed. */
export async function changedSince(files: Files, basis: FileBasis): Promise<readonly string[]> {
  const now = await fingerprints(files, [...basis.keys()])
  return [...basis].flatMap(([path, then]) => (now.get(path) === then ? [] : [path]))
}

export async function fingerprints(files: Files, paths: readonly string[]): Promise<FileBasis> {
  return new Map(await Promise.all(paths.map(async (path) => [path, await fingerprint(files, path)] as const)))
}

/** A card that changed under the pointer counts as seen only after this long. */
const seenAfterMs = 400

/** The file versions that this page's cards show. */
export function createShownBasis(monotonic: MonotonicClock) {
  const shown = new Map<string, { basis: FileBasis; before: FileBasis | null; at: number }>()
  const same = (a: FileBasis, b: FileBasis) => a.size === b.size && [...a].every(([path, mark]) => b.get(path) === mark)
  return {
    show(key: string, basis: FileBasis): void {
      const known = shown.get(key)
      if (!known || !same(known.basis, basis)) shown.set(key, { basis, before: known?.basis ?? null, at: monotonic() })
    },
    forget: (key: string): void => void shown.delete(key),
    /** The versions that the user can have read on the card by now; null: no card showed its files. */
    seen(key: string): FileBasis | null {
      const known = shown.get(key)
      if (!known) return null
      return known.before !== null && monotonic() - known.at < seenAfterMs ? known.before : known.basis
    },
  }
}

/** The message that nothing ran because these paths changed. */
export const filesChanged = ([first = '', second = '', ...more]: readonly string[]): string =>
  t('calls.files-changed', { count: [first, second].filter(Boolean).length + more.length, first, second })

/** A click that is being handled. Meanwhile, further clicks on the same call are refused at once. */
export interface CallJob {
  readonly target: MessageCall
  readonly attempt: number
  readonly by: DecidedBy
  readonly stop: AbortController
  /** The jobs that were started together, this one included; only itself if it starts no run. */
  chain: readonly CallJob[]
  /**
   * The file versions that its card showed; null: none, or nobody looked. Updated with the changes of the chain's own
   * calls.
   */
  basis: FileBasis | null
  /** The user's input, for a call that asks for it. */
  answer?: JsonValue
  /** What its card showed before the click. */
  readonly before: LiveCall | undefined
  stage: 'queued' | 'running' | 'deciding'
}

export const click: DecidedBy = { kind: 'click' }

/** The clicks of this page, and the queues in which they are handled. */
export function createCallJobs() {
  const jobs = new Map<CallKey, CallJob>()
  const queues = new Map<string, Promise<void>>()
  const of = (reply: OpenReply, slot: number) => jobs.get(reply.keyOf(slot))

  return {
    of,
    book(reply: OpenReply, target: MessageCall, by: DecidedBy, stage: CallJob['stage']): CallJob {
      const { slot } = target
      const attempt = (reply.recordOf(slot)?.attempt ?? 0) + 1
      const stop = new AbortController()
      const job: CallJob = { target, attempt, by, stop, chain: [], basis: null, before: reply.liveOf(slot), stage }
      jobs.set(reply.keyOf(slot), job)
      return job
    },
    end: (reply: OpenReply, slot: number): void => void jobs.delete(reply.keyOf(slot)),
    isCurrent: (reply: OpenReply, job: CallJob): boolean => of(reply, job.target.slot) === job,
    isBusy: ({ messageId }: OpenReply): boolean => [...jobs.keys()].some((key) => key.startsWith(`${messageId}:`)),
    /** The call is undecided, and no job of this page is about to decide it. */
    isUndecided: (reply: OpenReply) => (target: MessageCall) => !of(reply, target.slot) && !reply.recordOf(target.slot),
    /** Runs a message's chains in sequence, whatever was clicked meanwhile. */
    inTurn(messageId: string, work: () => Promise<void>): Promise<void> {
      const mine = (queues.get(messageId) ?? Promise.resolve()).then(work)
      const settled = mine.catch(() => undefined)
      queues.set(messageId, settled)
      void settled.then(() => queues.get(messageId) === settled && queues.delete(messageId))
      return mine
    },
  }
}

export type CallJobs = ReturnType<typeof createCallJobs>
