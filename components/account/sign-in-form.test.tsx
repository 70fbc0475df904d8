// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import type { ReactElement } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { SignInForm, SignUpForm } from './sign-in-form'

const offered = { password: true, inviteOnly: false, oidc: null, header: false, anonymous: true }
const signUp = { offered, next: '/', invitation: null, invited: null, stop: null }
let root: Root | undefined

afterEach(() => {
  act(() => root?.unmount())
  document.body.textContent = ''
  cleanup()
})

/** A label can end with a hint. */
const fieldOf = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))

/** Fills the fields of the server's page, then hydrates it. */
function typeAndHydrate(form: ReactElement, typed: Readonly<Record<string, string>>): void {
  const page = document.body.appendChild(document.createElement('div'))
  page.innerHTML = renderToString(form)
  for (const [label, text] of Object.entries(typed)) {
    fieldOf(label).value = text
  }
  act(() => {
    root = hydrateRoot(page, form)
  })
}
const shown = (label: string) => fieldOf(label).value

it('what was typed or filled in before the page’s scripts ran stays, and is sent', async () => {
  const sent = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(() => Promise.reject(new Error('away')))
  vi.stubGlobal('fetch', sent)
  typeAndHydrate(<SignInForm offered={offered} next="/" why={null} />, { Email: 'ann@example.com', Password: 'secret' })
  expect([shown('Email'), shown('Password')]).toEqual(['ann@example.com', 'secret'])
  act(() => screen.getByRole('button', { name: 'Sign in' }).click())
  await vi.waitFor(() => expect(sent).toHaveBeenCalled())
  expect(JSON.parse(sent.mock.calls[0]?.[1].body as string)).toEqual({ email: 'ann@example.com', password: 'secret' })
  await screen.findByRole('alert')
  expect(shown('Password')).toBe('secret')
  vi.unstubAllGlobals()
})

it('the same for a new account; an invited address stays as it is', () => {
  typeAndHydrate(<SignUpForm {...signUp} />, { Email: 'bo@example.com', Name: 'Bo', Password: 'correct horse' })
  expect(['Email', 'Name', 'Password'].map(shown)).toEqual(['bo@example.com', 'Bo', 'correct horse'])
  act(() => root?.unmount())
  document.body.textContent = ''
  typeAndHydrate(<SignUpForm {...signUp} invited="cy@example.com" invitation="x" />, { Password: 'correct horse' })
  expect(['Email', 'Password'].map(shown)).toEqual(['cy@example.com', 'correct horse'])
})
