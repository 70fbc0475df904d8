/*
 * Messages between workers and their supervisor. The supervisor passes on messages whose content only the workers know.
 */

/** Messages between workers. */
export type WorkerTalk =
  /** Asks everyone about a topic, and returns the answers within `waitMs`. */
  | { readonly type: 'nod-ask'; readonly id: string; readonly topic: string; readonly waitMs: number }
  | { readonly type: 'nod-answer'; readonly id: string; readonly answer: string | null }
  /** A message to all other workers, without an answer. */
  | { readonly type: 'nod-tell'; readonly text: string }

/**
 * Asks whether a living worker has registered this text. Answered by `nod-answers`: one answer if one has, otherwise
 * none.
 */
export interface WorkerHolds {
  readonly type: 'nod-holds'
  readonly id: string
  readonly left: string
}

/**
 * Sets the text that another worker gets when this one dies; null withdraws it, including one inherited from a dead
 * worker.
 */
export interface WorkerExiting {
  readonly type: 'nod-handoff'
  readonly id: string
  readonly text: string | null
}

/** A text that a dead worker left: the receiver handles it, and has it registered until then. */
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
  /** The numbers of the workers that can be asked. */
  readonly places: () => readonly number[]
  readonly send: (place: number, message: ToWorker) => void
  /** Returns a function that cancels the task. */
  readonly after: (ms: number, task: () => void) => () => void
}

interface Question {
  readonly asker: number
  readonly open: Set<number>
  readonly answers: Map<number, string>
  close(): void
}

/**
 * The supervisor's part of questions and messages from one worker to all: passes them on, collects the answers, and
 * returns them.
 */
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

  function sendToOthers(senderNumber: number, text: string): void {
    for (const place of places()) if (place !== senderNumber) send(place, { type: 'nod-told', text })
  }

  function settle(place: number, question: Question): void {
    question.open.delete(place)
    if (question.open.size === 0) question.close()
  }

  return {
    hear(place: number, message: WorkerTalk): void {
      if (message.type === 'nod-ask') return ask(place, message)
      if (message.type === 'nod-tell') return sendToOthers(place, message.text)
      const question = questions.get(message.id)
      if (question === undefined) return
      if (message.answer !== null) question.answers.set(place, message.answer)
      settle(place, question)
    },
    /** The worker is gone: stops waiting for its answers. */
    forget(place: number): void {
      for (const [id, question] of questions) {
        if (question.asker === place) questions.delete(id)
        else if (question.open.has(place)) settle(place, question)
      }
    },
  }
}

/** The texts that one worker leaves behind. */
interface WorkerHandoff {
  hear(message: WorkerExiting): void
  /** The worker is gone: passes its texts to another one. */
  open(): void
}

interface Living {
  readonly left: Map<string, string>
  readonly send: (message: WorkerExited) => void
}

/**
 * Texts that workers want passed to another worker when they die, because they cannot send them then. Their supervisor
 * keeps them and notices each death at once. They go to the oldest worker, which leaves them in turn until it says that
 * it is done, because it may be dying as well. If no worker is left, they wait for the next one.
 */
export function createWorkerHandoffs() {
  /** In order of their start. */
  const living = new Set<Living>()
  const unclaimed = new Map<string, string>()

  function leave(id: string, text: string): void {
    const [successor] = living
    ;(successor?.left ?? unclaimed).set(id, text)
    successor?.send({ type: 'nod-left', id, text })
  }

  return {
    /** Answers whether a living worker has registered a text. */
    answer: ({ id, left: asked }: WorkerHolds): ToWorker => ({
      type: 'nod-answers',
      id,
      answers: [...living].some(({ left }) => left.has(asked)) ? ['yes'] : [],
    }),

    /** `send` must queue messages until the worker listens. */
    born(send: (message: WorkerExited) => void): WorkerHandoff {
      const worker: Living = { left: new Map(), send }
      living.add(worker)
      const waiting = [...unclaimed]
      unclaimed.clear()
      for (const [id, text] of waiting) leave(id, text)
      return {
        hear({ id, text }) {
          if (text === null) worker.left.delete(id)
          // Its last message may be read after its death was noticed.
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
