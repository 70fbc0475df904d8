// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { usePageTrail } from './use-page-frame'

afterEach(cleanup)

const at = (path: string, hash = '') => ({ path, query: '', hash })
const setUp = () => renderHook(() => usePageTrail('/a.html')).result

it('starts at the page, with nowhere to go', () => {
  const trail = setUp()
  expect(trail.current).toMatchObject({ at: at('/a.html'), step: 0, before: null, after: null })
  act(() => trail.current.back())
  act(() => trail.current.forward())
  expect(trail.current.at).toEqual(at('/a.html'))
})

it('goes back and forward; each step is one stop, even to the same page', () => {
  const trail = setUp()
  act(() => trail.current.go(at('/b.html')))
  act(() => trail.current.go(at('/b.html', '#end')))
  expect(trail.current).toMatchObject({ at: at('/b.html', '#end'), step: 2, before: at('/b.html'), after: null })
  act(() => trail.current.back())
  act(() => trail.current.back())
  expect(trail.current).toMatchObject({ at: at('/a.html'), step: 4, before: null, after: at('/b.html') })
  act(() => trail.current.forward())
  expect(trail.current).toMatchObject({ at: at('/b.html'), step: 5, before: at('/a.html') })
})

it('drops the forward stops when another link is followed', () => {
  const trail = setUp()
  act(() => trail.current.go(at('/b.html')))
  act(() => trail.current.back())
  act(() => trail.current.go(at('/c.html')))
  expect(trail.current).toMatchObject({ at: at('/c.html'), before: at('/a.html'), after: null })
})

it('remembers the last fifty', () => {
  const trail = setUp()
  act(() => {
    for (let number = 1; number <= 60; number += 1) trail.current.go(at(`/${number}.html`))
  })
  let steps = 0
  while (trail.current.before !== null) {
    act(() => trail.current.back())
    steps += 1
  }
  expect([steps, trail.current.at.path]).toEqual([49, '/11.html'])
})
