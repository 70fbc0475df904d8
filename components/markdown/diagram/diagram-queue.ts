/**
 * Limits of a diagram. The real limit is the drawing time in its frame; the limits on the source only avoid hopeless
 * attempts.
 */
export const diagramLimits = {
  /** Characters of the source; a longer one is not drawn. */
  chars: 50_000,
  edges: 2_000,
  /** Applies if the frame has no own process and would block the page. */
  edgesBeside: 280,
  /** The most time for drawing one, including loading its kind's modules. */
  drawMs: 20_000,
  /** The most time for loading Mermaid. */
  loadMs: 60_000,
  /** The most characters of the returned picture. */
  svgChars: 2_000_000,
  /** The longer side of the test picture that measures the paint time. */
  paintedPx: 2_000,
  /** A picture that takes longer to paint stays in a sealed frame, away from the page. */
  paintMs: 150,
} as const

/*
 * Draws diagrams one after the other in a sealed frame. A frame that does not answer in time is removed with the
 * diagram that hangs; the next diagram gets a new one. An idle frame is removed, too.
 */

export interface DrawnDiagram {
  readonly svg: string
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** How long the frame took to paint the picture; milliseconds. */
  readonly paintMs: number
}

export type DiagramAnswer =
  | ({ readonly kind: 'drawn' } & DrawnDiagram)
  /** Mermaid's message, which may be empty. */
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'late' }
  /** The picture is too large for a page. */
  | { readonly kind: 'large' }
  | { readonly kind: 'not-loaded' }

export interface DiagramFrame {
  readonly post: (message: object) => void
  readonly remove: () => void
}

export interface DiagramQueuePorts {
  /** Opens a frame; its messages go to `hear`. */
  readonly open: (hear: (data: unknown) => void) => DiagramFrame
  /** Runs the task after `ms`; the returned function cancels it. */
  readonly schedule: (task: () => void, ms: number) => () => void
}

export interface DiagramQueue {
  /** `onAnswer` is called once, unless the returned function was called before. */
  readonly draw: (text: string, dark: boolean, onAnswer: (answer: DiagramAnswer) => void) => () => void
}

interface Job {
  readonly id: number
  readonly text: string
  readonly dark: boolean
  readonly onAnswer: (answer: DiagramAnswer) => void
}

const idleMs = 30_000

export function createDiagramQueue({ open, schedule }: DiagramQueuePorts): DiagramQueue {
  let frame: DiagramFrame | null = null
  let isReady = false
  let jobs: readonly Job[] = []
  let running: Job | null = null
  let last = 0
  let cancelTimer = () => {}

  const after = (ms: number, task: () => void): void => {
    cancelTimer()
    cancelTimer = schedule(task, ms)
  }
  const close = (): void => {
    cancelTimer()
    frame?.remove()
    frame = null
    isReady = false
  }
  const settle = (answer: DiagramAnswer): void => {
    const done = running
    running = null
    cancelTimer()
    if (done && jobs.includes(done)) {
      jobs = jobs.filter((job) => job !== done)
      done.onAnswer(answer)
    }
    next()
  }
  const hear = (data: unknown): void => {
    if (typeof data !== 'object' || data === null) return
    const { type, id, svg, width, height, paintMs, why } = data as Readonly<Record<string, unknown>>
    if (type === 'nod-diagram-hello') {
      isReady = true
      next()
    } else if (type === 'nod-diagram-unloaded') notLoaded()
    else if (running === null || id !== running.id) return
    else if (type === 'nod-diagram-drawn' && isText(svg) && isSize(width) && isSize(height)) {
      settle({ kind: 'drawn', svg, width, height, paintMs: typeof paintMs === 'number' ? paintMs : Infinity })
    } else if (type === 'nod-diagram-large') settle({ kind: 'large' })
    else settle({ kind: 'failed', why: isText(why) ? why.slice(0, 400) : '' })
  }
  const notLoaded = (): void => {
    close()
    // Each may retry, because the network may be back.
    const waiting = jobs
    jobs = []
    running = null
    for (const { onAnswer } of waiting) onAnswer({ kind: 'not-loaded' })
  }
  const next = (): void => {
    const [job] = jobs
    if (running) return
    if (!job) {
      if (frame) after(idleMs, close)
      return
    }
    if (!frame) {
      after(diagramLimits.loadMs, notLoaded)
      frame = open(hear)
    }
    if (!isReady) return
    running = job
    after(diagramLimits.drawMs, () => {
      close()
      settle({ kind: 'late' })
    })
    frame.post({ type: 'nod-diagram', id: job.id, text: job.text, dark: job.dark })
  }

  return {
    draw(text, dark, onAnswer) {
      const job = { id: (last += 1), text, dark, onAnswer }
      jobs = [...jobs, job]
      next()
      return () => {
        jobs = jobs.filter((one) => one !== job)
      }
    },
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= diagramLimits.svgChars
const isSize = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 1_000_000
