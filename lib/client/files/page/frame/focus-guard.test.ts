// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest'
import { quietFocus } from './focus-guard'

vi.spyOn(document, 'hasFocus').mockReturnValue(false)
const said: object[] = []
quietFocus((message) => void said.push(message))

beforeEach(() => {
  said.length = 0
  document.body.innerHTML = '<input id="field"><button id="button">x</button>'
})

it('does not count a script’s click as a person’s press', () => {
  document.querySelector('#button')?.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true }))
  document.querySelector<HTMLButtonElement>('#button')?.click()
  expect(said).toEqual([])
})

it('leaves the focus where it is when a script asks for it without a press', () => {
  const field = document.querySelector<HTMLInputElement>('#field')
  field?.focus()
  window.focus()
  expect(document.activeElement).toBe(document.body)
})

it('keeps other effects of clicks by script', () => {
  const pressed = vi.fn<() => void>()
  const button = document.querySelector<HTMLButtonElement>('#button')
  button?.addEventListener('click', pressed)
  button?.click()
  expect(pressed).toHaveBeenCalledOnce()
  expect(document.documentElement.inert).toBeFalsy()
})
