import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { ProcessHealth } from '@/lib/shared/server-facts/server-health-facts'
import type { StoreSignals } from '@/lib/server/store/ports/store'
import { isDraining } from '../process/draining.server'
import { answerWorkers, askWorkers, workerIndex } from '../process/workers.server'
import { performance, monitorEventLoopDelay } from 'node:perf_hooks'

/** A process that does not answer for so long is left out. */
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
  /** The workers of this node that answer, this process among them. */
  ofNode(): Promise<readonly ProcessHealth[]>
  /** And the processes of other nodes on the same store, where word of them comes (PostgreSQL’s notifications). */
  ofAll(): Promise<readonly ProcessHealth[]>
}

/**
 * Says how this process does to anyone who asks, and asks the others. `load`: the replies that it writes, and how many it may;
 * `port`: where its node is reached.
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
    const said = verb === 'i-am' && asked.has(question) ? read(rest.join(' ')) : null
    if (said) asked.get(question)?.set(said.id, said)
  })

  const ofNode = async () => (await askWorkers('health', WAIT_MS)).flatMap((text) => read(text) ?? [])

  return {
    ofNode,
    async ofAll() {
      const question = crypto.randomUUID()
      const heard = new Map<string, ProcessHealth>()
      const here = ofNode()
      if (signals?.isListening()) {
        asked.set(question, heard)
        signals.send(`how-are-you ${question}`)
        await wait(WAIT_MS)
        asked.delete(question)
      }
      const near = await here
      for (const one of near) heard.delete(one.id)
      const far = [...heard.values()].toSorted(
        (a, b) => a.node.localeCompare(b.node) || (a.place ?? 0) - (b.place ?? 0),
      )
      return [...near, ...far]
    },
  }
}

/** A newer release may say it in another way: then it is not heard. */
function read(text: string): ProcessHealth | null {
  try {
    return formOfHealth.parse(JSON.parse(text))
  } catch {
    return null
  }
}

const SAMPLE_MS = 250

/** How busy the loop of this process was lately: 0 idle, 1 without a pause. Measured when someone asks, seldom. */
export function createLoopUtilisation(): () => number {
  let since = performance.eventLoopUtilization()
  let sampledAt = performance.now()
  let utilisation = 0
  return () => {
    const at = performance.now()
    if (at - sampledAt >= SAMPLE_MS) {
      const until = performance.eventLoopUtilization()
      // The mean with what was before: one long task is no load.
      utilisation = (utilisation + performance.eventLoopUtilization(until, since).utilization) / 2
      since = until
      sampledAt = at
    }
    return utilisation
  }
}

/** How late a turn of the event loop may be, in nine of ten looks at it: above it first words come late for everyone. */
const TOO_LATE_MS = 100
/** This process uses a core of its own. Below it, turns are late because other processes have the core. */
const FULL_CORE = 0.85
const LOOK_EVERY_MS = 500
/** One long task is no pressure; two looks in a row are. */
const LOOKS = 2
/** How often the loop is looked at; a turn that is not late at all counts as that long. */
const RESOLUTION_MS = 20

/** What this process did since the last look. */
interface PressureReading {
  /** How late turns of the loop were, nine of ten. */
  readonly lateMs: number
  /** The cores that it used, all its threads together. */
  readonly cores: number
}

/**
 * Counts looks; true while this process itself has more to do than it can. Late turns alone do not say so: a neighbour that takes the
 * core makes them late, and waiting would help no one.
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

/** Watches this process. Gives whether it is pressed, and the way to end the watch. */
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
