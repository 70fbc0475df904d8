import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { ProcessHealth } from '@/lib/shared/server-facts/server-health-facts'
import type { StoreSignals } from '@/lib/server/store/ports/store'
import { isDraining } from '../process/draining.server'
import { answerWorkers, requestFromWorkers, workerIndex } from '../process/workers.server'
import { performance, monitorEventLoopDelay } from 'node:perf_hooks'

/** A process that does not respond within this time is left out. */
const WAIT_MS = 500

const formOfHealth = z.object({
  id: z.string(),
  node: z.string(),
  place: z.nullable(z.number()),
  isDraining: z.boolean(),
  replies: z.number(),
  maxReplies: z.number(),
  upSeconds: z.number(),
  memoryBytes: z.number(),
})

export interface HealthRound {
  /** The responding workers of this node, including this process. */
  ofNode(): Promise<readonly ProcessHealth[]>
  /** Also the processes of other nodes on the same store, if they can be reached (PostgreSQL’s notifications). */
  ofAll(): Promise<readonly ProcessHealth[]>
}

/**
 * Reports the health of this process on request, and asks the others. `load`: the replies that it writes, and its
 * maximum; `port`: the port of its node.
 */
export function createHealthRound({
  load,
  port,
  signals,
}: {
  readonly load: () => { readonly replies: number; readonly maxReplies: number }
  readonly port: number
  readonly signals: StoreSignals | undefined
}): HealthRound {
  const id = crypto.randomUUID()
  const asked = new Map<string, Map<string, ProcessHealth>>()
  const own = (): ProcessHealth => ({
    id,
    node: `${hostname()}:${port}`,
    place: workerIndex(),
    isDraining: isDraining(),
    ...load(),
    upSeconds: Math.round(process.uptime()),
    memoryBytes: process.memoryUsage.rss(),
  })
  answerWorkers('health', () => JSON.stringify(own()))
  signals?.listen((text) => {
    const [verb, question = '', ...rest] = text.split(' ')
    if (verb === 'how-are-you' && !asked.has(question)) signals.send(`i-am ${question} ${JSON.stringify(own())}`)
    const health = verb === 'i-am' && asked.has(question) ? read(rest.join(' ')) : null
    if (health) asked.get(question)?.set(health.id, health)
  })

  const ofNode = async () => (await requestFromWorkers('health', WAIT_MS)).flatMap((text) => read(text) ?? [])

  return {
    ofNode,
    async ofAll() {
      const question = crypto.randomUUID()
      const answers = new Map<string, ProcessHealth>()
      const here = ofNode()
      if (signals?.isListening()) {
        asked.set(question, answers)
        signals.send(`how-are-you ${question}`)
        await wait(WAIT_MS)
        asked.delete(question)
      }
      const near = await here
      for (const one of near) answers.delete(one.id)
      const far = [...answers.values()].toSorted(
        (a, b) => a.node.localeCompare(b.node) || (a.place ?? 0) - (b.place ?? 0),
      )
      return [...near, ...far]
    },
  }
}

/** A newer release may use another format: then its answer is ignored. */
function read(text: string): ProcessHealth | null {
  try {
    return formOfHealth.parse(JSON.parse(text))
  } catch {
    return null
  }
}

const SAMPLE_MS = 250

/** The recent utilization of the event loop: 0 idle, 1 fully busy. For rare calls. */
export function createLoopUtilisation(): () => number {
  let since = performance.eventLoopUtilization()
  let sampledAt = performance.now()
  let utilisation = 0
  return () => {
    const at = performance.now()
    if (at - sampledAt >= SAMPLE_MS) {
      const until = performance.eventLoopUtilization()
      // Averaged with the previous value, because one long task is no load.
      utilisation = (utilisation + performance.eventLoopUtilization(until, since).utilization) / 2
      since = until
      sampledAt = at
    }
    return utilisation
  }
}

/**
 * The limit for the delay of event loop turns, for nine of ten samples: above it, first tokens are late for everyone.
 * At 100 ms, 400 new visitors within 5 s waited longer for the queue than they would have for the busy loop: their first
 * text came after 2,090 ms (p95) instead of 977 ms beside a process that burns a core.
 */
const TOO_LATE_MS = 300
/** This process uses a full core. Below this, turns are late because other processes use the core. */
const FULL_CORE = 0.85
const LOOK_EVERY_MS = 500
/** One long task is no pressure; two checks in a row are. */
const LOOKS = 2
/** The sampling interval of the loop; a punctual turn counts as this long. */
const RESOLUTION_MS = 20

/** Measurements of this process since the last check. */
interface PressureReading {
  /** The delay of event loop turns, for nine of ten. */
  readonly lateMs: number
  /** The used cores, of all its threads together. */
  readonly cores: number
}

/**
 * Evaluates checks; true while this process is overloaded. Late turns alone do not prove that: another process that
 * uses the core makes them late, and then waiting would not help.
 */
export function createPressure(): { readonly look: (one: PressureReading) => void; readonly isPressed: () => boolean } {
  let looks = 0
  return {
    look({ lateMs, cores }) {
      looks = lateMs > TOO_LATE_MS && cores >= FULL_CORE ? looks + 1 : 0
    },
    isPressed: () => looks >= LOOKS,
  }
}

/** Watches this process. Returns whether it is under pressure, and a function that stops watching. */
export function watchPressure(): { readonly isPressed: () => boolean; readonly stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const { look, isPressed } = createPressure()
  let used = process.cpuUsage()
  let from = performance.now()
  const timer = setInterval(() => {
    const at = performance.now()
    const { user, system } = process.cpuUsage(used)
    look({
      lateMs: delay.percentile(90) / 1e6 - RESOLUTION_MS,
      cores: (user + system) / 1_000 / Math.max(1, at - from),
    })
    delay.reset()
    used = process.cpuUsage()
    from = at
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    isPressed,
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}
