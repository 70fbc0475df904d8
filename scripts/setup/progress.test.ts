import { expect, test } from 'vitest'
import { startProgress } from './progress.mjs'

function screen(isTTY: boolean) {
  const text: string[] = []
  let time = 0
  const ports = { out: { isTTY, write: (part: string) => text.push(part) }, now: () => time }
  return { text, ports, pass: (ms: number) => (time += ms) }
}

test('a terminal shows one line that is overwritten', () => {
  const { text, ports, pass } = screen(true)
  const progress = startProgress('Installing', ports)
  pass(3_000)
  progress.say('120 of 500 packages')
  pass(4_000)
  progress.done()
  expect(text).toEqual([
    'Installing …',
    '\r\x1b[2KInstalling: 120 of 500 packages, 3 s …',
    '\r\x1b[2KInstalling: done in 7 s\n',
  ])
})

test('a log gets a line when there is something new, at most every ten seconds', () => {
  const { text, ports, pass } = screen(false)
  const progress = startProgress('Installing', ports)
  pass(3_000)
  progress.say('120 of 500 packages')
  pass(8_000)
  progress.say('121 of 500 packages')
  pass(1_000)
  progress.say('122 of 500 packages')
  pass(12_000)
  progress.say('122 of 500 packages')
  progress.done()
  progress.say('too late')
  expect(text).toEqual(['Installing …\n', 'Installing: 121 of 500 packages, 11 s …\n', 'Installing: done in 24 s\n'])
})
