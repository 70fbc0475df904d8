import { describe, expect, it } from 'vitest'
import { rawProblem, reduceDraft, startCallDraft, type DraftEvent } from './call-draft'

const after = (...events: readonly DraftEvent[]) =>
  events.reduce(reduceDraft, startCallDraft({ name: 'a_tool', arguments: { path: '/a' } }))
const raw = { type: 'view-chosen', view: 'raw' } as const
const form = { type: 'view-chosen', view: 'form' } as const

describe('a call that is edited', () => {
  it('shows the same arguments in both views', () => {
    const typed = after({ type: 'arguments-changed', arguments: { path: '/b' } }, raw)
    expect(typed.view).toEqual({ kind: 'raw', text: '{\n  "path": "/b"\n}', problem: null })
    const back = [{ type: 'raw-typed', text: '{"path":"/c"}' } as const, form].reduce(reduceDraft, typed)
    expect([back.view.kind, back.arguments]).toEqual(['form', { path: '/c' }])
  })

  it.each([
    ['{"path": ', 'ends too early'],
    ['{"path" "/a"}', 'line 1, column 9'],
    ['[1]', 'must be one JSON object'],
  ])('keeps the arguments and the text of %s, shows the error, and stays in the raw view', (text, words) => {
    const stuck = after(raw, { type: 'raw-typed', text }, form)
    expect(stuck).toMatchObject({ arguments: { path: '/a' }, view: { kind: 'raw', text } })
    expect(rawProblem(stuck)?.message).toContain(words)
    expect(stuck.saving).toMatchObject({
      kind: 'refused',
      problem: { message: expect.stringContaining('Fix the JSON') },
    })
  })

  it('keeps everything if it could not be stored, and can be retried', () => {
    const refused = after({ type: 'saving-started' }, { type: 'saving-refused', problem: 'No.' })
    expect(refused).toMatchObject({ name: 'a_tool', arguments: { path: '/a' }, saving: { problem: 'No.' } })
    expect(reduceDraft(refused, { type: 'saving-started' }).saving.kind).toBe('under-way')
  })
})
