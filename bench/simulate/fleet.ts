import type { Agenda } from './agenda.ts'

/** One reply to write. */
export interface Job {
  readonly arrivedAt: number
  /** How long it is written once started: the model's own time. */
  readonly serviceMs: number
  /** The share of one core that it uses while it is written. */
  readonly cpu: number
}

export type Outcome = 'finished' | 'interrupted' | 'refused' | 'gave-up'

export interface FleetOptions {
  readonly nodes: number
  /** Replies that one node writes at a time. */
  readonly places: number
  /** Which node gets the next one: each in turn, or the one that writes the fewest. */
  readonly policy: 'round-robin' | 'least-runs'
  /** Where requests without a place wait: in one queue, of which any free node takes the oldest, or at their node. */
  readonly queue: 'shared' | 'node'
  /** Places in the queue (of each node if each has one); a request beyond it is refused. */
  readonly queuePlaces: number
  /** A request that waited this long gives up. */
  readonly patienceMs: number
  /** From a request to its first text on an idle node, without the model; on a busy node divided by the idle share. */
  readonly firstTextMs: number
  /** Cores that one node has. */
  readonly cores: number
  /** The share of busy cores above which a node starts no further reply, because its replies would be late. */
  readonly busiest: number
}

interface Waiting {
  readonly job: Job
  readonly done: (outcome: Outcome) => void
  hasLeft: boolean
}

interface Queue {
  readonly entries: Waiting[]
  head: number
  length: number
}

interface Node {
  state: 'up' | 'draining' | 'down'
  readonly running: Map<Job, (outcome: Outcome) => void>
  cpu: number
  readonly queue: Queue
  /** Milliseconds × replies, and × cores. */
  runArea: number
  cpuArea: number
  changedAt: number
  /** While it drains: called once, when it writes nothing more or its time is over. */
  leave: (() => void) | null
}

const emptyQueue = (): Queue => ({ entries: [], head: 0, length: 0 })
/** A node without a free core is not infinitely slow: its delay is limited. */
const NEVER_BUSIER = 0.95

export interface Fleet {
  readonly submit: (job: Job, done: (outcome: Outcome) => void) => void
  /** The node is gone immediately, with its replies. */
  readonly crash: (node: number, downMs: number) => void
  /** It takes no more, finishes its replies for at most `graceMs`, is away for `downMs`, and then calls `back`. */
  readonly drain: (node: number, graceMs: number, downMs: number, back: () => void) => void
  /** Since the start, of all nodes: busy replies and cores, times milliseconds. */
  readonly areas: () => { readonly runs: number; readonly cpu: number }
  readonly waiting: () => number
  readonly running: () => number
}

/** Nodes, their load balancing, and the queues. `onStart` is called for each start, with the time of its first text. */
export function createFleet(
  agenda: Agenda,
  options: FleetOptions,
  onStart: (job: Job, waitedMs: number) => void,
): Fleet {
  const { policy, patienceMs } = options
  const hasRoom = ({ state, running, cpu }: Node): boolean =>
    state === 'up' && running.size < options.places && cpu < options.cores * options.busiest
  const shared = emptyQueue()
  const nodes = Array.from({ length: options.nodes }, (): Node => ({
    state: 'up',
    running: new Map(),
    cpu: 0,
    queue: options.queue === 'shared' ? shared : emptyQueue(),
    runArea: 0,
    cpuArea: 0,
    changedAt: 0,
    leave: null,
  }))
  let turn = 0

  function settle(node: Node): void {
    const elapsed = agenda.now() - node.changedAt
    node.runArea += elapsed * node.running.size
    node.cpuArea += elapsed * node.cpu
    node.changedAt = agenda.now()
  }

  function start(node: Node, { job, done }: Waiting): void {
    settle(node)
    node.running.set(job, done)
    node.cpu += job.cpu
    const idle = 1 - Math.min(node.cpu / options.cores, NEVER_BUSIER)
    onStart(job, agenda.now() - job.arrivedAt + options.firstTextMs / idle)
    agenda.at(agenda.now() + job.serviceMs, () => end(node, job, 'finished'))
  }

  function end(node: Node, job: Job, outcome: Outcome): void {
    const done = node.running.get(job)
    if (!done) return
    settle(node)
    node.running.delete(job)
    node.cpu = node.running.size === 0 ? 0 : node.cpu - job.cpu
    done(outcome)
    if (node.running.size === 0) node.leave?.()
    takeNext(node)
  }

  function takeNext(node: Node): void {
    const { queue } = node
    while (hasRoom(node) && queue.head < queue.entries.length) {
      const next = queue.entries[queue.head]
      queue.head += 1
      if (!next || next.hasLeft) continue
      next.hasLeft = true
      queue.length -= 1
      start(node, next)
    }
    // Frees taken entries now and then.
    if (queue.head > 1_000 && queue.head * 2 > queue.entries.length) {
      queue.entries.splice(0, queue.head)
      queue.head = 0
    }
  }

  function choose(): Node | null {
    const up = nodes.filter(({ state }) => state === 'up')
    if (policy === 'round-robin') return up.length === 0 ? null : (up[(turn += 1) % up.length] ?? null)
    const load = ({ running, queue }: Node) => running.size + (options.queue === 'node' ? queue.length : 0)
    return up.reduce<Node | null>((best, node) => (best && load(best) <= load(node) ? best : node), null)
  }

  function submit(job: Job, done: (outcome: Outcome) => void): void {
    const entry: Waiting = { job, done, hasLeft: false }
    let node = choose()
    if (node && !hasRoom(node) && options.queue === 'shared') node = nodes.find(hasRoom) ?? node
    if (node && hasRoom(node)) return start(node, entry)
    const queue = options.queue === 'shared' ? shared : node?.queue
    if (!queue || queue.length >= options.queuePlaces) return done('refused')
    queue.entries.push(entry)
    queue.length += 1
    if (patienceMs !== Infinity) {
      agenda.at(agenda.now() + patienceMs, () => {
        if (entry.hasLeft) return
        entry.hasLeft = true
        queue.length -= 1
        done('gave-up')
      })
    }
  }

  /** Sends the requests that wait at a leaving node to another one. */
  function sendElsewhere(node: Node): void {
    if (options.queue === 'shared') return
    const left = node.queue.entries.slice(node.queue.head).filter(({ hasLeft }) => !hasLeft)
    node.queue.entries.length = 0
    node.queue.head = 0
    node.queue.length = 0
    for (const entry of left) {
      entry.hasLeft = true
      submit(entry.job, entry.done)
    }
  }

  function goDown(node: Node, downMs: number, back: () => void): void {
    node.state = 'down'
    for (const job of node.running.keys()) end(node, job, 'interrupted')
    agenda.at(agenda.now() + downMs, () => {
      node.state = 'up'
      takeNext(node)
      back()
    })
  }

  return {
    submit,

    crash(at, downMs) {
      const node = nodes[at]
      if (node?.state !== 'up') return
      node.state = 'down'
      sendElsewhere(node)
      goDown(node, downMs, () => {})
    },

    drain(at, graceMs, downMs, back) {
      const node = nodes[at]
      if (node?.state !== 'up') return back()
      node.state = 'draining'
      sendElsewhere(node)
      const leave = () => {
        if (node.leave !== leave) return
        node.leave = null
        goDown(node, downMs, back)
      }
      node.leave = leave
      agenda.at(agenda.now() + (node.running.size === 0 ? 0 : graceMs), leave)
    },

    areas() {
      for (const node of nodes) settle(node)
      return {
        runs: nodes.reduce((sum, { runArea }) => sum + runArea, 0),
        cpu: nodes.reduce((sum, { cpuArea }) => sum + cpuArea, 0),
      }
    },

    waiting: () =>
      options.queue === 'shared' ? shared.length : nodes.reduce((sum, { queue }) => sum + queue.length, 0),
    running: () => nodes.reduce((sum, { running }) => sum + running.size, 0),
  }
}
