// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import ReadAloud, { spoken } from './read-aloud'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  delete document.documentElement.dataset['speech']
})

it('reads Markdown text without code', () => {
  const text = '# Plan\n\n- **milk** and [bread](https://example.org)\n\n```js\nlet a = 1\n```\n> a `note`'
  expect(spoken(text)).toBe('Plan\nmilk and bread\na note')
})

it('is off until it is switched on, reads, and stops', async () => {
  const voice = { speak: vi.fn<(said: { text: string }) => void>(), cancel: vi.fn<() => void>() }
  vi.stubGlobal('speechSynthesis', voice)
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class extends EventTarget {
      readonly text: string
      constructor(text: string) {
        super()
        this.text = text
      }
    },
  )
  const { unmount } = render(<ReadAloud text={() => 'Hello **there**'} />)
  expect(screen.queryByRole('button')).toBeNull()
  unmount()
  document.documentElement.dataset['speech'] = 'on'
  render(<ReadAloud text={() => 'Hello **there**'} />)
  await userEvent.click(screen.getByRole('button', { name: 'Read aloud' }))
  expect(voice.speak.mock.calls[0]?.[0].text).toBe('Hello there')
  voice.cancel.mockClear()
  await userEvent.click(screen.getByRole('button', { name: 'Stop reading' }))
  expect(voice.cancel).toHaveBeenCalled()
})
