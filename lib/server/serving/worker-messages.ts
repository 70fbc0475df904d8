/* What workers and their supervisor say to each other. The supervisor hands on; what is in it is the workers' own. */

/** What workers say to each other. */
export type WorkerTalk =
  /** Ask everyone about a topic, and give me what has come within `waitMs`. */
  | { readonly type: 'nod-ask'; readonly id: string; readonly topic: string; readonly waitMs: number }
  | { readonly type: 'nod-answer'; readonly id: string; readonly answer: string | null }
  /** For all others, who answer nothing. */
  | { readonly type: 'nod-tell'; readonly text: string }

/** Does a worker that lives leave this? Answered by `nod-answers`: one answer where one does, else none. */
export interface WorkerHolds {
  readonly type: 'nod-holds'
  readonly id: string
  readonly left: string
}

/** What another one is told when this one dies; null: no longer, of what it was told of a dead one too. */
export interface WorkerExiting {
  readonly type: 'nod-will'
  readonly id: string
  readonly text: string | null
}

/** What a dead worker left: who is told does it, and leaves it itself until then. */
export interface WorkerExited {
  readonly type: 'nod-left'
  readonly id: string
  readonly text: string
}

export type FromWorker = WorkerTalk | WorkerExiting | WorkerHolds

export type ToWorker =
  | { readonly type: 'nod-question'; readonly id: string; readonly topic: string }
  | { readonly type: 'nod-answers'; readonly id: string; readonly answers: readonly string[] }
  | { readonly type: 'nod-told'; readonly text: string }
  | WorkerExited

interface QuestionPorts {
  /** The places of the workers that can be asked. */
  readonly places: () => readonly number[]
  readonly send: (place: number, message: ToWorker) => void
  /** Gives the way to call it off. */
  readonly after: (ms: number, task: () => void) => () => void
}

interface Question {
  readonly asker: number
  readonly open: Set<number>
  readonly answers: Map<number, string>
  close(): void
}

/** The supervisor's part in what one worker asks or tells all others: it hands it round, collects, and gives back. */
export function createWorkerQuestions({ places, send, after }: QuestionPorts) {
  const questions = new Map<string, Question>()

  function ask(asker: number, { id, topic, waitMs }: Extract<WorkerTalk, { type: 'nod-ask' }>): void {
    const open = new Set(places())
    const answers = new Map<number, string>()
    const cancel = after(waitMs, () => questions.get(id)?.close())
    questions.set(id, {
      asker,
      open,
      answers,
      close() {
        cancel()
        questions.delete(id)
        const inOrder = [...answers].toSorted(([a], [b]) => a - b).map(([, answer]) => answer)
        send(asker, { type: 'nod-answers', id, answers: inOrder })
      },
    })
    for (const place of open) send(place, { type: 'nod-question', id, topic })
  }

  function tellOthers(teller: number, text: string): void {
    for (const place of places()) if (place !== teller) send(place, { type: 'nod-told', text })
  }

  function settle(place: number, question: Question): void {
    question.open.delete(place)
    if (question.open.size === 0) question.close()
  }

  return {
    hear(place: number, message: WorkerTalk): void {
      if (message.type === 'nod-ask') return ask(place, message)
      if (message.type === 'nod-tell') return tellOthers(place, message.text)
      const question = questions.get(message.id)
      if (question === undefined) return
      if (message.answer !== null) question.answers.set(place, message.answer)
      settle(place, question)
    },
    /** A worker is gone: no one waits for it. */
    forget(place: number): void {
      for (const [id, question] of questions) {
        if (question.asker === place) questions.delete(id)
        else if (question.open.has(place)) settle(place, question)
      }
    },
  }
}

/** What one worker leaves. */
interface WorkerWill {
  hear(message: WorkerExiting): void
  /** The worker is gone: what it left goes to another one. */
  open(): void
}

interface Living {
  readonly left: Map<string, string>
  readonly send: (message: WorkerExited) => void
}

/**
 * What workers want to be told to another one when they die, as they cannot say so themselves any longer: kept by their supervisor, who sees
 * each death at once. It goes to the one that has been there longest, who leaves it in turn until it says that it is done: it may be dying
 * as well. Where no one is left it waits for the next one.
 */
export function createWorkerWills() {
  /** In the order of their births. */
  const living = new Set<Living>()
  const unclaimed = new Map<string, string>()

  function leave(id: string, text: string): void {
    const [heir] = living
    ;(heir?.left ?? unclaimed).set(id, text)
    heir?.send({ type: 'nod-left', id, text })
  }

  return {
    /** To anyone who asks whether a worker that lives would leave something. */
    answer: ({ id, left: asked }: WorkerHolds): ToWorker => ({
      type: 'nod-answers',
      id,
      answers: [...living].some(({ left }) => left.has(asked)) ? ['yes'] : [],
    }),

    /** `send` must keep what a worker is told before it listens. */
    born(send: (message: WorkerExited) => void): WorkerWill {
      const worker: Living = { left: new Map(), send }
      living.add(worker)
      const waiting = [...unclaimed]
      unclaimed.clear()
      for (const [id, text] of waiting) leave(id, text)
      return {
        hear({ id, text }) {
          if (text === null) worker.left.delete(id)
          // What it said last may be read after its death is seen.
          else if (living.has(worker)) worker.left.set(id, text)
          else leave(id, text)
        },
        open() {
          living.delete(worker)
          for (const [id, text] of worker.left) leave(id, text)
          worker.left.clear()
        },
      }
    },
  }
}
