// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { Dialog } from './dialog'

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
})
afterEach(cleanup)

function Opener({ onKey }: { onKey: () => void }) {
  const [text, setText] = useState('')
  return (
    <div hidden role="none" onKeyDown={onKey}>
      <Dialog label="Outer" onClose={() => {}}>
        <input aria-label="Name" value={text} onChange={(event) => setText(event.target.value)} />
        <Dialog label="Inner" onClose={() => {}}>
          <button type="button">{'Go'}</button>
        </Dialog>
      </Dialog>
    </div>
  )
}

it('is in the body, so that what hides its opener hides no dialog', () => {
  const onKey = vi.fn<() => void>()
  render(<Opener onKey={onKey} />)
  for (const name of ['Outer', 'Inner']) expect(screen.getByRole('dialog', { name }).parentElement).toBe(document.body)
  // Its keys still reach the parts that opened it.
  screen.getByRole('button', { name: 'Go' }).dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }))
  expect(onKey).toHaveBeenCalledOnce()
})
