// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { LicenceList } from './licence-list'

afterEach(cleanup)

const packages = [
  {
    name: 'zod',
    version: '4.6.7',
    licence: 'MIT',
    source: 'https://example.org/zod',
    servedIn: ['the pages'],
    text: 'As is.',
  },
  {
    name: 'odd',
    version: 'in next 16',
    licence: 'ISC',
    source: 'javascript:alert(1)',
    servedIn: ['/a.js', '/b.js'],
    text: 'For any purpose.',
  },
]

test('lists each package with its version, terms, text and source, Nod itself first', () => {
  render(<LicenceList notices={{ version: '0.2.0', licence: 'MIT License, Nod contributors', packages }} />)
  expect(screen.getByText(/^Nod 0\.2\.0 includes 2 third-party packages\./)).toBeTruthy()
  expect(screen.getAllByRole('listitem').map((item) => item.querySelector('summary')?.textContent)).toEqual([
    'Nod0.2.0 · MIT',
    'zod4.6.7 · MIT',
    'oddin next 16 · ISC',
  ])
  expect(screen.getByText('MIT License, Nod contributors')).toBeTruthy()
  expect(screen.getByText('Used in /a.js, /b.js.')).toBeTruthy()
  // A link only if it leads to a page.
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/', 'https://example.org/zod'])
})

test('says without a build why the list is empty', () => {
  render(<LicenceList notices={null} />)
  expect(screen.getByText(/created by the build/)).toBeTruthy()
})
