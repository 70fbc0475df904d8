import { expect, it } from 'vitest'
import { type ToWorker, createWorkerQuestions } from './worker-messages'

function stage(...places: readonly number[]) {
  const sent: (readonly [number, ToWorker])[] = []
  let timers: (() => void)[] = []
  const questions = createWorkerQuestions({
    places: () => places,
    send: (place, message) => sent.push([place, message]),
    after(_ms, task) {
      timers.push(task)
      return () => void (timers = timers.filter((one) => one !== task))
    },
  })
  const answer = (place: number, text: string | null, id = 'q') =>
    questions.hear(place, { type: 'nod-answer', id, answer: text })
  return {
    questions,
    answer,
    ask: (place: number) => questions.hear(place, { type: 'nod-ask', id: 'q', topic: 'metrics', waitMs: 1_000 }),
    given: () => sent.filter(([, { type }]) => type === 'nod-answers'),
    asked: () => sent.filter(([, { type }]) => type === 'nod-question').map(([place]) => place),
    timeIsUp: () => timers.forEach((task) => task()),
    timers: () => timers.length,
  }
}

const answers = (place: number, ...texts: readonly string[]) => [
  [place, { type: 'nod-answers', id: 'q', answers: texts }],
]

it('passes a question to all workers, the asker too, and returns the answers by worker number', () => {
  const { ask, asked, answer, given, timers } = stage(1, 2, 3)
  ask(2)
  expect(asked()).toEqual([1, 2, 3])
  answer(3, 'c')
  answer(1, 'a')
  expect(given()).toEqual([])
  answer(2, 'b')
  expect(given()).toEqual(answers(2, 'a', 'b', 'c'))
  expect(timers()).toBe(0)
})

it('does not wait for a worker that has no answer, is gone, or takes too long', () => {
  const { ask, answer, given, questions, timeIsUp } = stage(1, 2, 3, 4)
  ask(1)
  answer(1, 'a')
  answer(2, null)
  questions.forget(3)
  expect(given()).toEqual([])
  timeIsUp()
  expect(given()).toEqual(answers(1, 'a'))
  answer(4, 'late')
  expect(given()).toHaveLength(1)
})

it('sends nothing to an asker that is gone, and ignores answers to unknown questions', () => {
  const { ask, answer, given, questions } = stage(1, 2)
  ask(1)
  questions.forget(1)
  answer(2, 'b')
  answer(2, 'b', 'another')
  expect(given()).toEqual([])
})
