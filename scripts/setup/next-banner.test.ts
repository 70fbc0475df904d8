import { expect, test } from 'vitest'
import { isNextBanner } from './next-banner.mjs'

test.each([
  '▲ Next.js 16.4.5',
  '- Local:         http://127.0.0.1:5333',
  '- Network:       http://127.0.0.1:5333',
  '✓ Ready in 179ms',
  '✓ Running next.config.ts took 36ms',
])('%s is a line of Next’s banner', (line) => expect(isNextBanner(line)).toBe(true))

test.each(['[nod] not ready: The data folder /x cannot be written.', '    Ollama: 2 models', '⨯ Error: something', ''])(
  '“%s” is passed on',
  (line) => expect(isNextBanner(line)).toBe(false),
)
