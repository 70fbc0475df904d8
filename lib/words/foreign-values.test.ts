import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { catalogues, foreignValues, quotingCatalogues, quotingSentencesOf, sentencesOf } from '@/lib/base/catalogue'
import { parseMessage } from '@/lib/base/parse-message'

/*
 * Foreign text in a sentence of the app is quoted: a message that takes a path, a name or a title stands in a catalogue of
 * `quotingSentencesOf`, where a plain text does not compile. What stands elsewhere is listed here with the reason.
 */

const modules = globSync(['*.ts', '../{base,strategies}/**/*-words.ts'], { cwd: import.meta.dirname }).filter(
  (file) => !file.endsWith('.test.ts'),
)
for (const file of modules) await import(path.join(import.meta.dirname, file))

/** Beside the names that the type knows: others under which foreign text comes. */
const foreign: ReadonlySet<string> = new Set([...foreignValues, 'url', 'email', 'quoted', 'glob', 'selector'])

/** Areas of messages that are not quoted, by the reason. */
const plain: Readonly<Record<string, readonly string[]>> = {
  'a terminal or a log of the server shows them, which has no code type': [
    'account-command',
    'accounts',
    'backup',
    'config',
    'doctor',
    'variable',
  ],
  'models read them, or a stored row or an answer of the server holds them, as plain text': [
    'call',
    'chat',
    'exact',
    'explain',
    'failure',
    'form',
    'gate',
    'lab',
    'listing',
    'log',
    'models',
    'no-call',
    'play',
    'settings',
    'store',
    'told',
    'tool',
    'vfs',
    'wllama',
    'workspace',
    'zip',
  ],
  'an exported page or a file of text holds them': ['readable'],
  'labels of controls, and names that their reader gave or chose: what does not show is marked in them': [
    'account',
    'admin',
    'asks',
    'attach',
    'card',
    'card-edit',
    'card-files',
    'inspector',
    'lab-page',
    'lost',
    'may',
    'own',
    'reading',
    'said',
    'server',
    'thread',
    'wait',
  ],
  'titles of windows and of pages are ours': ['page'],
}
const listed = Object.values(plain).flat()

const areaOf = (reason: string): string => reason.slice(0, reason.indexOf('.'))

/** The messages outside of quoting catalogues that take foreign text. A number speaks for nobody. */
function unquoted(): readonly string[] {
  const quoted = new Set(quotingCatalogues().flatMap((catalogue) => Object.keys(catalogue)))
  return catalogues().flatMap((catalogue) =>
    Object.entries(catalogue).flatMap(([reason, sentence]) =>
      typeof sentence === 'string' &&
      !quoted.has(reason) &&
      parseMessage(sentence).arguments.some(({ name, kind }) => foreign.has(name) && kind !== 'number')
        ? [reason]
        : [],
    ),
  )
}

it('a message that takes foreign text quotes it, or its area is listed with the reason', () => {
  expect(unquoted().filter((reason) => !listed.includes(areaOf(reason)))).toEqual([])
})

it('no area is listed that has no such message, or twice', () => {
  const areas = new Set(unquoted().map(areaOf))
  expect(listed.filter((area, at) => !areas.has(area) || listed.indexOf(area) !== at)).toEqual([])
})

it('sees what it looks for', () => {
  sentencesOf({ 'test-plain.moved': '{path} was moved.', 'test-plain.column': '{column, number}' })
  quotingSentencesOf({ 'test-quoting.moved': '{path} was moved.' })
  expect(unquoted().filter((reason) => reason.startsWith('test-'))).toEqual(['test-plain.moved'])
})
