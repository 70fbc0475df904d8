import { expect, it } from 'vitest'
import { reduceDraft, startCallDraft, storedDraft, withStoredDraft } from './call-draft'

const written = startCallDraft({ name: 'write_file', arguments: { path: '/a' } })

it('is restored unchanged: another tool, other arguments, raw text that is not JSON yet', () => {
  const changed = reduceDraft(written, { type: 'arguments-changed', arguments: { path: '/b' } })
  expect(withStoredDraft(written, storedDraft(changed))).toEqual(changed)
  const raw = reduceDraft(changed, { type: 'view-chosen', view: 'raw' })
  const typed = reduceDraft(raw, { type: 'raw-typed', text: '{"path": ' })
  expect(withStoredDraft(written, storedDraft(typed))).toMatchObject({
    arguments: { path: '/b' },
    view: { kind: 'raw', text: '{"path": ' },
  })
})

it.each([null, '', 'no json', '[]', '{"name": 1, "arguments": {}}', '{"name": "a", "arguments": []}'])(
  'a stored value %j changes nothing',
  (kept) => {
    expect(withStoredDraft(written, kept)).toBe(written)
  },
)
