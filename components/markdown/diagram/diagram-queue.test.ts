import { expect, test } from 'vitest'
import { createDiagramQueue, type DiagramAnswer, diagramLimits } from './diagram-queue'

/** Fake frames that send what the test says, and a fake clock. */
function world() {
  const state = { opened: 0, removed: 0, posted: [] as { id: number; text: string }[] }
  let hear: (data: unknown) => void = () => {}
  let timers: { readonly task: () => void; readonly ms: number }[] = []
  const queue = createDiagramQueue({
    open(listen) {
      state.opened += 1
      hear = listen
      return {
        post: (message) => void state.posted.push(message as { id: number; text: string }),
        remove: () => void (state.removed += 1),
      }
    },
    schedule(task, ms) {
      const timer = { task, ms }
      timers.push(timer)
      return () => void (timers = timers.filter((one) => one !== timer))
    },
  })
  const answers: DiagramAnswer[] = []
  return {
    state,
    answers,
    draw: (text: string) => queue.draw(text, false, (answer) => answers.push(answer)),
    say: (data: unknown) => hear(data),
    drawn: () =>
      hear({ type: 'nod-diagram-drawn', id: state.posted.at(-1)?.id, svg: '<svg/>', width: 10, height: 5, paintMs: 3 }),
    /** Advances the clock and runs what is due. */
    pass(ms: number) {
      const due = timers.filter((timer) => timer.ms === ms)
      timers = timers.filter((timer) => timer.ms !== ms)
      for (const { task } of due) task()
    },
  }
}

const hello = { type: 'nod-diagram-hello' }

test('one frame draws diagrams one after the other', () => {
  const { draw, say, drawn, state, answers } = world()
  draw('a')
  draw('b')
  expect(state.posted).toEqual([])
  say(hello)
  expect(state.posted.map(({ text }) => text)).toEqual(['a'])
  drawn()
  expect(state.posted.map(({ text }) => text)).toEqual(['a', 'b'])
  say({ type: 'nod-diagram-failed', id: state.posted[1]?.id, why: 'Parse error' })
  expect(answers).toEqual([
    { kind: 'drawn', svg: '<svg/>', width: 10, height: 5, paintMs: 3 },
    { kind: 'failed', why: 'Parse error' },
  ])
  expect(state.opened).toBe(1)
})

test('a diagram that hangs is removed with its frame, and the next is drawn in a new one', () => {
  const { draw, say, drawn, pass, state, answers } = world()
  draw('hangs')
  draw('b')
  say(hello)
  pass(diagramLimits.drawMs)
  expect(answers).toEqual([{ kind: 'late' }])
  expect(state).toMatchObject({ removed: 1, opened: 2 })
  say(hello)
  drawn()
  expect(answers.at(-1)?.kind).toBe('drawn')
})

test('a frame that never starts or can’t load reports it to all waiting diagrams; the next one retries', () => {
  const { draw, say, pass, state, answers } = world()
  draw('a')
  draw('b')
  pass(diagramLimits.loadMs)
  expect(answers).toEqual([{ kind: 'not-loaded' }, { kind: 'not-loaded' }])
  draw('c')
  say({ type: 'nod-diagram-unloaded' })
  expect(answers).toHaveLength(3)
  expect(state).toMatchObject({ opened: 2, removed: 2 })
})

test('no answer goes to a cancelled request, and unrequested answers are ignored', () => {
  const { draw, say, drawn, state, answers } = world()
  const leave = draw('a')
  draw('b')
  leave()
  say(hello)
  say({ type: 'nod-diagram-drawn', id: 99, svg: 'x', width: 1, height: 1 })
  say('nonsense')
  say(null)
  expect(state.posted.map(({ text }) => text)).toEqual(['b'])
  expect(answers).toEqual([])
  drawn()
  expect(answers).toHaveLength(1)
})

test.each([
  ['no size', { svg: '<svg/>' }],
  ['a size that is none', { svg: '<svg/>', width: Number.NaN, height: 1 }],
  ['a picture that is too long', { svg: 'x'.repeat(diagramLimits.svgChars + 1), width: 1, height: 1 }],
])('a frame that returns %s has drawn nothing', (_, given) => {
  const { draw, say, state, answers } = world()
  draw('a')
  say(hello)
  say({ type: 'nod-diagram-drawn', id: state.posted[0]?.id, ...given })
  expect(answers).toEqual([{ kind: 'failed', why: '' }])
})

test('a picture too large for a page is reported, and one without a paint time counts as slow', () => {
  const { draw, say, state, answers } = world()
  draw('a')
  draw('b')
  say(hello)
  say({ type: 'nod-diagram-large', id: state.posted[0]?.id })
  say({ type: 'nod-diagram-drawn', id: state.posted[1]?.id, svg: '<svg/>', width: 1, height: 1 })
  expect(answers).toEqual([{ kind: 'large' }, { kind: 'drawn', svg: '<svg/>', width: 1, height: 1, paintMs: Infinity }])
})

test('an idle frame is removed', () => {
  const { draw, say, drawn, pass, state } = world()
  draw('a')
  say(hello)
  drawn()
  pass(30_000)
  expect(state).toMatchObject({ opened: 1, removed: 1 })
})
