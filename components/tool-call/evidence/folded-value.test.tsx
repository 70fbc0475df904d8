// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/shared/conversation/conversation'
import { ResultView, ValueView } from './result-view'

afterEach(cleanup)

const picture = { kind: 'image', data: 'data:image/png;base64,AAAA' } as const
const show = (result: JsonValue, displays: CallOutcome['displays'] = [picture]) =>
  render(<ResultView outcome={{ status: 'completed', result, durationMs: 1, console: [], displays }} />)

describe('a result with a picture', () => {
  it('folds its value under it, counted, and opens it', async () => {
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
  ] as const)('is not one that displayed %s alone', (kind, data) => {
    show({ value: 'all of it' }, [{ kind, data }])
    expect(document.querySelector('[data-picture]')).toBeNull()
    expect(screen.getByText('all of it')).toBeTruthy()
  })
})

describe('an object', () => {
  const terms = () => screen.queryAllByRole('term').map((one) => one.textContent)

  it('that is flat stands in two columns, each value as JSON writes it', () => {
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

  it('that holds another, or more than twenty, is a tree whose keys are told from their values', () => {
    const { unmount } = render(<ValueView value={{ months: { '2': 22 } }} />)
    expect(terms()).toEqual([])
    expect(screen.getByRole('group', { name: 'Result' }).textContent).toContain('2:22')
    unmount()
    render(<ValueView value={Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n]))} />)
    expect(terms()).toEqual([])
  })
})
