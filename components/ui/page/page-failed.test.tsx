// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { Guarded } from '@/components/ui/page/page-failed'
import { PlainText } from '../text/plain-text'

afterEach(cleanup)

/** Throws when rendered. */
function Breaks({ text }: { text: string }) {
  if (text.includes('bad')) throw new Error('a mistake of ours')
  return <p>drawn: {text}</p>
}

const row = (text: string) => (
  <>
    <p>the message before</p>
    <Guarded what="This message" plain={<PlainText text={text} />} resetKey={text}>
      <Breaks text={text} />
    </Guarded>
  </>
)

it('a message that can’t be rendered is shown as text, says so, and does not affect others', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { rerender } = render(row('bad words'))
  expect(screen.getByText('the message before')).toBeDefined()
  expect(screen.getByText('bad words')).toBeDefined()
  expect(screen.getByRole('alert').textContent).toContain('This message stopped working')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
  rerender(row('good words'))
  expect(screen.getByText('drawn: good words')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  vi.mocked(console.error).mockClear()
})
