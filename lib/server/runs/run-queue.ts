import { makeError } from '@/lib/i18n/t'
import type { ChatObserver } from './chat-observer'
import type { Clock } from './clock'

const TELL_EVERY_MS = 2_000

/** Reports places in the queue to readers in other processes: only changes, and no more often than needed. */
function createQueueNews(ports: {
  readonly clock: Clock
  readonly tell: (places: readonly (WaitingRun & { readonly place: number })[]) => Promise<void>
  readonly log: (message: string, error: unknown) => void
}): (waiting: readonly WaitingRun[], places: ReadonlyMap<string, number>) => Promise<void> {
  let sentPositions: ReadonlyMap<string, number> = new Map()
  let reportedAt = Number.NEGATIVE_INFINITY
  return async (waiting, places) => {
    if (ports.clock.monotonic() - reportedAt < TELL_EVERY_MS) return
    const changed = waiting.flatMap(({ owner, runId }) => {
      const place = places.get(runId) ?? 0
      return sentPositions.get(runId) === place ? [] : [{ owner, runId, place }]
    })
    sentPositions = places
    if (changed.length === 0) return
    reportedAt = ports.clock.monotonic()
    await ports.tell(changed).catch((error: unknown) => ports.log('places in the queue could not be told', error))
  }
}

/** A slot of this process for a reply, or a place in the queue for one. */
export interface Admission {
  /** This process has no free slot now: the reply must be stored as queued. */
  readonly waits: boolean
  /**
   * Resolves when it is this reply's turn; `queued`: the store has it as queued. Rejects with the signal's reason if
   * that aborts first, as it does when the reply is stopped.
   */
  turn(run: WaitingRun & { readonly queued: boolean }, signal: AbortSignal): Promise<void>
  /** Frees the slot; repeated calls have no effect. */
  leave(): void
}

export interface RunQueue {
  /** Refuses with AppError `unavailable` when the queue is full. */
  admit(): Admission
  /** From 1; null: the reply does not wait here. */
  placeOf(runId: string): number | null
  /** The number of replies with a slot. */
  readonly running: () => number
}

export interface RunQueuePorts {
  readonly clock: Clock
  readonly maxRuns: number
  readonly maxQueued: number
  /** The process is overloaded: only a few replies start at a time. */
  readonly isPressed: () => boolean
  /** Asks the store, because other nodes write replies for the same owners. `gone`: another process ended it. */
  readonly start: (run: WaitingRun) => Promise<'started' | 'full' | 'gone'>
  /** Called with the places in the queue from time to time. */
  readonly tell: (places: readonly (WaitingRun & { readonly place: number })[]) => Promise<void>
  readonly log: (message: string, error: unknown) => void
  readonly observer: Pick<ChatObserver, 'admitted' | 'queueLength'>
}

/**
 * This process does not learn of freed slots on other nodes, so an owner that waits for one is checked again this often.
 */
const LOOK_AGAIN_MS = 1_000
/**
 * Under pressure, a few replies start this often, so that nobody waits forever; all others start as soon as it is over.
 * The number matches 400 new users within five seconds. Holding a reply back costs transactions of its own, and
 * starting fewer made everyone wait longer.
 */
const PRESSED_LOOK_MS = 100
const SOME = 8
/** When a request that found the queue full should be retried. */
const COME_AGAIN_SECONDS = 10

interface Entry extends WaitingRun {
  readonly begin: () => void
  readonly fail: (reason: Error) => void
}

/**
 * Decides which reply starts now and which waits. Owners take turns, so that one with many replies does not block the
 * others. An owner who uses all of their own slots is skipped until one of their replies has ended.
 */
export function createRunQueue(ports: RunQueuePorts): RunQueue {
  const { clock, maxRuns, maxQueued } = ports
  const lines = createQueueLines<Entry>()
  const reportPlaces = createQueueNews(ports)
  let running = 0
  /** Admitted as queued, but not in the queue yet. */
  let coming = 0
  let pumping = false
  let again = false
  let cancelLook: (() => void) | null = null
  /** When skipped owners were last checked again. */
  let cameBackAt = Number.NEGATIVE_INFINITY

  const isFull = () => running >= maxRuns || (running > 0 && ports.isPressed())

  const reportLength = () => ports.observer.queueLength(lines.all().length)

  async function beginOne(): Promise<boolean> {
    const first = lines.next()
    if (!first) return false
    running += 1
    const answer = await ports.start(first).catch((error: unknown) => {
      ports.log('the queue could not ask the store; it asks again', error)
      return 'full' as const
    })
    // It may have been stopped meanwhile.
    const stands = lines.has(first)
    if (answer === 'started' && stands) {
      lines.remove(first)
      lines.moveBack(first.owner)
      reportLength()
      ports.observer.admitted()
      first.begin()
      return true
    }
    running -= 1
    if (answer === 'full') lines.skipOwner(first.owner)
    else lines.remove(first)
    if (answer === 'gone') first.fail(new Error('the reply was ended elsewhere'))
    return true
  }

  /** `some`: how many to start even under pressure. */
  async function pump({ some }: { readonly some: number }): Promise<void> {
    if (pumping) {
      again = true
      return
    }
    pumping = true
    try {
      for (let started = 0; started < some && running < maxRuns && (await beginOne()); started += 1);
      do {
        again = false
        while (!isFull() && (await beginOne()));
      } while (again)
    } finally {
      pumping = false
    }
    look()
  }

  function look(): void {
    if (lines.all().length === 0 || cancelLook) return
    cancelLook = clock.after(ports.isPressed() ? PRESSED_LOOK_MS : LOOK_AGAIN_MS, () => {
      cancelLook = null
      if (clock.monotonic() - cameBackAt >= LOOK_AGAIN_MS) {
        lines.comeBack()
        cameBackAt = clock.monotonic()
      }
      void pump({ some: SOME }).then(() => reportPlaces(lines.all(), lines.places()))
    })
  }

  function admission(waits: boolean): Admission {
    let holds: 'place' | 'coming' | 'nothing' = waits ? 'coming' : 'place'
    if (waits) coming += 1
    else {
      running += 1
      ports.observer.admitted()
    }
    const leave = () => {
      const held = holds
      holds = 'nothing'
      if (held === 'coming') coming -= 1
      if (held !== 'place') return
      running -= 1
      lines.comeBack()
      void pump({ some: 0 })
    }
    return {
      waits,
      leave,
      async turn({ owner, runId, queued }, signal) {
        if (!queued) return
        leave()
        const started = begunInLine(lines, { owner, runId }, signal)
        reportLength()
        void pump({ some: 0 })
        await started.finally(reportLength)
        holds = 'place'
      },
    }
  }

  return {
    admit() {
      const waits = isFull() || lines.next() !== undefined
      if (waits && lines.all().length + coming >= maxQueued) {
        const options = { retryAfterSeconds: COME_AGAIN_SECONDS }
        throw makeError('unavailable', 'chat.queue-full', { count: maxQueued, seconds: COME_AGAIN_SECONDS }, options)
      }
      return admission(waits)
    },

    placeOf: (runId) => lines.places().get(runId) ?? null,
    running: () => running,
  }
}

/** Joins the queue; resolves when the reply has started and has a slot. */
const begunInLine = (lines: QueueLines<Entry>, run: WaitingRun, signal: AbortSignal): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      lines.remove(run)
      reject(signal.reason as Error)
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    const settled = () => signal.removeEventListener('abort', onAbort)
    const begin = () => {
      settled()
      resolve()
    }
    const fail = (reason: Error) => {
      settled()
      reject(reason)
    }
    lines.add({ ...run, begin, fail })
  })

export interface WaitingRun {
  readonly owner: string
  readonly runId: string
}

/** The queued replies: one queue per owner, owners in the order of their turns. */
interface QueueLines<T extends WaitingRun> {
  readonly all: () => readonly T[]
  add(entry: T): void
  remove(entry: Pick<T, 'owner' | 'runId'>): void
  has(entry: T): boolean
  /** The first reply of the first owner who is not skipped. */
  readonly next: () => T | undefined
  /** The owner had a turn, and is last from now on. */
  moveBack(owner: string): void
  /** Skips the owner, for whom nothing can start now. */
  skipOwner(owner: string): void
  /** Makes all owners eligible again. */
  comeBack(): void
  /**
   * Places from 1: eligible owners count in rounds; a skipped owner waits only for their own replies, so only those
   * count.
   */
  readonly places: () => ReadonlyMap<string, number>
}

function createQueueLines<T extends WaitingRun>(): QueueLines<T> {
  const lines = new Map<string, readonly T[]>()
  const aside = new Set<string>()
  /** Cached until the queue changes, because every reader of a queued reply asks. */
  let places: ReadonlyMap<string, number> | null = null
  const lineOf = (owner: string) => lines.get(owner) ?? []

  return {
    all: () => [...lines.values()].flat(),
    add(entry) {
      places = null
      lines.set(entry.owner, [...lineOf(entry.owner), entry])
    },
    remove({ owner, runId }) {
      places = null
      const left = lineOf(owner).filter((entry) => entry.runId !== runId)
      if (left.length > 0) return void lines.set(owner, left)
      lines.delete(owner)
      aside.delete(owner)
    },
    has: (entry) => lineOf(entry.owner).includes(entry),
    next: () => lines.entries().find(([owner]) => !aside.has(owner))?.[1][0],
    moveBack(owner) {
      places = null
      const line = lines.get(owner)
      lines.delete(owner)
      if (line) lines.set(owner, line)
    },
    skipOwner(owner) {
      places = null
      aside.add(owner)
    },
    comeBack() {
      places = null
      aside.clear()
    },
    places() {
      if (places) return places
      const found = new Map<string, number>()
      const open = [...lines].filter(([owner]) => !aside.has(owner)).map(([, line]) => line)
      const longest = Math.max(0, ...open.map((line) => line.length))
      for (let round = 0; round < longest; round += 1) {
        for (const line of open) {
          const entry = line[round]
          if (entry) found.set(entry.runId, found.size + 1)
        }
      }
      for (const owner of aside) for (const [at, { runId }] of lineOf(owner).entries()) found.set(runId, at + 1)
      return (places = found)
    },
  }
}
