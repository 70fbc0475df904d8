import type { ToWorker, WorkerTalk } from './worker-messages'

export interface QuestionPorts {
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
    /** A worker is gone: nobody waits for it. */
    forget(place: number): void {
      for (const [id, question] of questions) {
        if (question.asker === place) questions.delete(id)
        else if (question.open.has(place)) settle(place, question)
      }
    },
  }
}
