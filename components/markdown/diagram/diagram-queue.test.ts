import { expect, test } from 'vitest'
import { createDiagramQueue, type DiagramAnswer } from './diagram-queue'
import { diagramLimits } from './diagram-limits'

/** Frames that say what a test lets them say, and a clock that stands still. */
function world() {
  const state = { opened: 0, removed: 0, posted: [] as { id: number; text: string }[] }
  let hear: (data: unknown) => void = () => {}
  let timers: { readonly task: () => void; readonly ms: number }[] = []
  const desk = createDiagramQueue({
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
    draw: (text: string) => desk.draw(text, false, (answer) => answers.push(answer)),
    say: (data: unknown) => hear(data),
    drawn: () =>
      hear({ type: 'nod-diagram-drawn', id: state.posted.at(-1)?.id, svg: '<svg/>', width: 10, height: 5, paintMs: 3 }),
    /** All that waits for this long. */
    pass(ms: number) {
      const due = timers.filter((timer) => timer.ms === ms)
      timers = timers.filter((timer) => timer.ms !== ms)
      for (const { task } of due) task()
    },
  }
}

const hello = { type: 'nod-diagram-hello' }

test('one frame draws one diagram after the other', () => {
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

test('one that hangs goes with its frame, and the next is drawn in another', () => {
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

test('a frame that never begins, or can’t load, says so to all who wait; the next one asks again', () => {
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

test('no one is told who went, nor of what no one asked', () => {
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
])('a frame that gives %s has drawn nothing', (_, given) => {
  const { draw, say, state, answers } = world()
  draw('a')
  say(hello)
  say({ type: 'nod-diagram-drawn', id: state.posted[0]?.id, ...given })
  expect(answers).toEqual([{ kind: 'failed', why: '' }])
})

test('a picture too large for a page says so, and one that does not say what it took counts as slow', () => {
  const { draw, say, state, answers } = world()
  draw('a')
  draw('b')
  say(hello)
  say({ type: 'nod-diagram-large', id: state.posted[0]?.id })
  say({ type: 'nod-diagram-drawn', id: state.posted[1]?.id, svg: '<svg/>', width: 1, height: 1 })
  expect(answers).toEqual([{ kind: 'large' }, { kind: 'drawn', svg: '<svg/>', width: 1, height: 1, paintMs: Infinity }])
})

test('with nothing to do it goes', () => {
  const { draw, say, drawn, pass, state } = world()
  draw('a')
  say(hello)
  drawn()
  pass(30_000)
  expect(state).toMatchObject({ opened: 1, removed: 1 })
})
