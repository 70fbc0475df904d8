import { expect, it } from 'vitest'
import { reduceDraft, startCallDraft } from './call-draft'
import { keptDraft, withKeptDraft } from './kept-draft'

const written = startCallDraft({ name: 'write_file', arguments: { path: '/a' } })

it('comes back as it was: another tool, other arguments, raw text that is no JSON yet', () => {
  const changed = reduceDraft(written, { type: 'arguments-changed', arguments: { path: '/b' } })
  expect(withKeptDraft(written, keptDraft(changed))).toEqual(changed)
  const raw = reduceDraft(changed, { type: 'view-chosen', view: 'raw' })
  const typed = reduceDraft(raw, { type: 'raw-typed', text: '{"path": ' })
  expect(withKeptDraft(written, keptDraft(typed))).toMatchObject({
    arguments: { path: '/b' },
    view: { kind: 'raw', text: '{"path": ' },
  })
})

it.each([null, '', 'no json', '[]', '{"name": 1, "arguments": {}}', '{"name": "a", "arguments": []}'])(
  'what was kept as %j changes nothing',
  (kept) => {
    expect(withKeptDraft(written, kept)).toBe(written)
  },
)
