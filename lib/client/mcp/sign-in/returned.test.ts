import { expect, it } from 'vitest'
import { readReturned } from './returned'

it('reads what an authorization server adds as a query or as a fragment', () => {
  const said = 'code=a%2Bb&state=s&iss=https%3A%2F%2Flogin.example.org'
  const returned = { code: 'a+b', state: 's', iss: 'https://login.example.org', error: null }
  expect(readReturned({ search: `?${said}`, hash: '' })).toEqual(returned)
  expect(readReturned({ search: '', hash: `#${said}` })).toEqual(returned)
  expect(readReturned({ search: '?error=access_denied&state=s', hash: '' })).toEqual({
    code: null,
    state: 's',
    iss: null,
    error: 'access_denied',
  })
  expect(readReturned({ search: '', hash: '' }).state).toBe('')
})
