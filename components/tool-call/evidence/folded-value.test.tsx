// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { ResultView, ValueView } from './result-view'

afterEach(cleanup)

const picture = { kind: 'image', data: 'data:image/png;base64,AAAA' } as const
const show = (result: JsonValue, displays: CallOutcome['displays'] = [picture]) =>
  render(<ResultView outcome={{ status: 'completed', result, durationMs: 1, console: [], displays }} />)

describe('a result with a picture', () => {
  it('collapses its value under the picture with a count, and opens it', async () => {
    show({ value: { a: 1, b: [true, null], c: {} }, displayed: ['image, 4 B'] })
    expect(screen.getByRole('img')).toBeTruthy()
    expect(document.body.textContent).toContain('3 values · Show')
    expect(screen.queryByRole('group', { name: 'Result' })).toBeNull()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show' }))
    expect(screen.getByRole('group', { name: 'Result' }).textContent).toContain('true')
  })

  it.each([
    ['text', 'words'],
    ['json', '{"a":1}'],
  ] as const)('does not include one that displayed only %s', (kind, data) => {
    show({ value: 'all of it' }, [{ kind, data }])
    expect(document.querySelector('[data-picture]')).toBeNull()
    expect(screen.getByText('all of it')).toBeTruthy()
  })
})

describe('an object', () => {
  const terms = () => screen.queryAllByRole('term').map((one) => one.textContent)

  it('if flat, is shown in two columns, each value as JSON', () => {
    render(<ValueView value={{ rows: 398, currency: 'EUR', complete: false, note: null, no: '398' }} />)
    expect(terms()).toEqual(['rows', 'currency', 'complete', 'note', 'no'])
    expect(screen.getAllByRole('definition').map((one) => one.textContent)).toEqual([
      '398',
      '"EUR"',
      'false',
      'null',
      '"398"',
    ])
  })

  it('if nested, or with more than twenty members, is a tree with distinct keys and values', () => {
    const { unmount } = render(<ValueView value={{ months: { '2': 22 } }} />)
    expect(terms()).toEqual([])
    expect(screen.getByRole('group', { name: 'Result' }).textContent).toContain('2:22')
    unmount()
    render(<ValueView value={Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n]))} />)
    expect(terms()).toEqual([])
  })
})
